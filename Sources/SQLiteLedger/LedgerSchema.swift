/// What the tables of a ledger are, as the steps that lead there.
///
/// A file's `user_version` counts the steps that it has taken. Steps are added and never changed.
enum LedgerSchema {
  /// Tells a ledger of Minilab from any other database: "MLAB".
  static let applicationID: Int64 = 0x4D4C_4142

  static let steps = [
    """
    CREATE TABLE entry (job BLOB NOT NULL UNIQUE, packed BLOB NOT NULL);
    CREATE TABLE name (number INTEGER PRIMARY KEY, text BLOB NOT NULL);
    CREATE TABLE absorbed (run BLOB PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
    """,
    // Entries say more since then: they are taken in from the journals once more.
    """
    DELETE FROM entry;
    DELETE FROM name;
    DELETE FROM absorbed;
    """,
  ]

  /// Takes the steps that a file has not taken, each whole or not at all.
  static func migrate(
    _ connection: borrowing Connection, from version: Int, steps: [String]
  ) throws(SQLiteFailure) {
    for (index, step) in steps.enumerated() where index >= version {
      try connection.execute(
        """
        BEGIN IMMEDIATE;
        \(step)
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(index + 1);
        COMMIT;
        """)
    }
  }
}
