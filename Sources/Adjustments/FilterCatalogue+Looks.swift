extension FilterCatalogue {
  static let looks = LookRecipe.list.map { recipe in
    FilterDescription(
      recipe.name, version: recipe.hasOpenEnds ? 2 : 1,
      older: recipe.hasOpenEnds ? [OlderVersion(1, heldEnds)] : [], .point, summary: recipe.summary,
      parameters: [
        ParameterDescription(
          "amount", .number(0...1, default: 1), "how much of the look is taken")
      ],
      identity: "amount 0", formula: recipe.formula,
      source: "a look of Minilab's own, made of its published filters")
  }
}
