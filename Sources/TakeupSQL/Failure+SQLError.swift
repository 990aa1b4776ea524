public import TakeupModel

extension Failure {
    /// Says what a database could not do.
    public init(_ error: SQLError) {
        let path = error.database
        if error.isOutcomeUnknown {
            self = Self.database(
                .unavailable, "databaseUnreachable",
                "\(path) did not confirm what was written, which may stand or not: \(error.message)",
                hint:
                    "run the same command again when the server, and the standby that it waits for, is back: nothing is"
                    + " done twice",
                .retry)
        } else if error.isDamaged {
            self = Self.database(
                .unavailable, "databaseDamaged",
                "\(path) is damaged or no database of Takeup: \(error.message)",
                hint: "move it away to begin anew, or bring back a copy")
        } else if error.isReadOnly {
            self = Self.database(
                .notPermitted, "databaseNotPermitted", "cannot write to \(path): \(error.message)",
                hint: path.hasPrefix("/")
                    ? "check the permissions of the file and of its folder"
                    : "the server allows no writing: ask its administrator")
        } else if error.isDiskFull {
            self = Self.database(
                .inputOutput, "diskFull", "no space left for \(path)", hint: "free some space")
        } else if error.isBusy {
            self = Self.database(
                .temporary, "databaseBusy", "\(path) is busy for too long: \(error.message)",
                hint: path.hasPrefix("/")
                    ? "try again"
                    : "try again; if it stays so, a transaction holds what this one needs, as one that waits for a"
                        + " standby of the server", .retry)
        } else if error.kind == .gone {
            self = Self.database(
                .unavailable, "databaseGone",
                "\(path) was removed or replaced, or its disk is away, while it was open",
                hint: "bring the file back, and start the program that has it open again")
        } else if error.kind == .laterVersion {
            self = Self.database(
                .configuration, "databaseTooNew",
                "\(path) belongs to a later version of Takeup: \(error.message)",
                hint: "install that version, or choose another database")
        } else if error.kind == .noSchema {
            self = Self.database(
                .configuration, "databaseSchema",
                "\(path) has no schema for the tables: \(error.message)",
                hint: "name a schema that it may use: ALTER ROLE takeup SET search_path = public")
        } else if error.kind == .encoding {
            self = Self.database(
                .configuration, "databaseEncoding",
                "\(path) cannot hold every name: \(error.message)",
                hint: "make another one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
        } else if error.kind == .notPermitted {
            self = Self.database(
                .notPermitted, "databaseNotPermitted",
                "\(path) refuses this user: \(error.message)",
                hint: error.operation == .open
                    ? "check the user and its password (~/.pgpass, PGPASSFILE, PGPASSWORD or a service file), and who may connect"
                        + " (pg_hba.conf)"
                    : "make this user the owner of the database, or grant it the right to create and write tables there"
            )
        } else if error.kind == .untrusted {
            self = Self.database(
                .unavailable, "databaseUnreachable",
                "no trusted connection to the database \(path): \(error.message)",
                hint:
                    "the server has to speak TLS, with a certificate for its name in the address that sslrootcert trusts;"
                    + " sslmode in the address says how much of that is asked for", .retry)
        } else if error.isUnreachable {
            self = .databaseUnreachable(path, error.message, .retry)
        } else if error.operation == .open {
            self = .databaseUnreachable(path, error.message, .giveUp)
        } else {
            self = Self.database(
                .inputOutput, "databaseFailed", "\(error)",
                hint: "check the disk")
        }
    }

    private static func databaseUnreachable(
        _ path: String, _ reason: String, _ disposition: Disposition
    ) -> Failure {
        database(
            .unavailable, "databaseUnreachable", "cannot open the database \(path): \(reason)",
            hint: path.hasPrefix("/")
                ? "check its path (TAKEUP_DATABASE) and the folder's permissions"
                : "check its address (TAKEUP_DATABASE), and that the server runs, can be reached and takes writes;"
                    + " an address may name several hosts", disposition)
    }

    private static func database(
        _ exitCode: ExitCode, _ code: String, _ message: String, hint: String,
        _ disposition: Disposition = .giveUp
    ) -> Failure {
        Failure(
            code: code, stage: "request", message: message, hint: hint,
            ending: Ending(exitCode, disposition))
    }
}
