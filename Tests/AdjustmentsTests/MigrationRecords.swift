/// Data of records in format 0.9 and what it is in 1.0, written by hand from the two descriptions.
enum MigrationRecords {
  struct Pair: Sendable {
    var old: String
    var new: String
  }

  static let pairs: [Pair] = [
    Pair(old: #"{"adjustments": []}"#, new: #"{"filters": []}"#),
    Pair(
      old: #"{"adjustments": [{"name": "exposure", "stops": -0.5}]}"#,
      new: #"{"filters": [{"filter": "exposure", "ev": -0.5}]}"#),
    Pair(
      old: #"""
        {"adjustments": [
          {"name": "contrast", "amount": 0}, {"name": "contrast", "amount": -100},
          {"name": "contrast", "amount": 30}, {"amount": 100, "name": "contrast"}
        ]}
        """#,
      new: #"""
        {"filters": [
          {"filter": "contrast", "amount": 1}, {"filter": "contrast", "amount": 0},
          {"filter": "contrast", "amount": 1.3}, {"filter": "contrast", "amount": 2}
        ]}
        """#),
    Pair(
      old: #"""
        {"adjustments": [
          {"name": "saturation", "amount": 0}, {"name": "saturation", "amount": -100},
          {"name": "saturation", "amount": 12.5}
        ]}
        """#,
      new: #"""
        {"filters": [
          {"filter": "saturation", "amount": 1}, {"filter": "saturation", "amount": 0},
          {"filter": "saturation", "amount": 1.125}
        ]}
        """#),
    Pair(
      old: #"""
        {"adjustments": [
          {"name": "brightness", "amount": 0}, {"name": "brightness", "amount": -100},
          {"name": "brightness", "amount": 7}
        ]}
        """#,
      new: #"""
        {"filters": [
          {"filter": "brightness", "amount": 0}, {"filter": "brightness", "amount": -1},
          {"filter": "brightness", "amount": 0.07}
        ]}
        """#),
    Pair(
      old: #"{"adjustments": [{"name": "crop", "rect": [0.1, 0, 0.9, 0.75]}]}"#,
      new: #"""
        {"filters": [{"filter": "crop", "x": 0.1, "y": 0, "width": 0.9, "height": 0.75}]}
        """#),
    Pair(
      old: #"""
        {"adjustments": [
          {"name": "orient", "orientation": 6}, {"name": "straighten", "degrees": -1.5},
          {"name": "temperatureTint", "temperature": 5200, "tint": -7},
          {"name": "temperatureTint"},
          {"name": "toneCurve", "points": [[0, 0], [0.5, 0.56], [1, 1]]},
          {"name": "sharpen", "amount": 0.8, "radius": 2, "threshold": 0.01}
        ]}
        """#,
      new: #"""
        {"filters": [
          {"filter": "orient", "orientation": 6}, {"filter": "straighten", "degrees": -1.5},
          {"filter": "temperatureTint", "temperature": 5200, "tint": -7},
          {"filter": "temperatureTint"},
          {"filter": "toneCurve", "points": [[0, 0], [0.5, 0.56], [1, 1]]},
          {"filter": "sharpen", "amount": 0.8, "radius": 2, "threshold": 0.01}
        ]}
        """#),
  ]
}
