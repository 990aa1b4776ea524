extension Failure {
    /// The code for a source that is not there.
    package static let missingCode = "inputMissing"

    /// Errors whose cause is the source.
    static func aboutInput(_ error: ExportError) -> Failure {
        switch error {
        case .inputMissing(let name):
            input(
                .inputMissing, missingCode, "cannot open \(name): there is no such file",
                hint: "check the path, and that its disk is there")
        case .inputUnreadable(let name, let reason):
            input(
                .inputOutput, "inputUnreadable", "cannot read \(name): \(reason)",
                hint: "give a regular file that can be read to its end")
        case .inputNotPermitted(let name):
            input(
                .notPermitted, "inputNotPermitted", "cannot read \(name): permission denied",
                hint: "run as a user who may read the file, or change its permissions")
        case .notMedia(let name, ExportError.folderReason):
            input(
                .notMedia, "notMedia", "\(name) is a folder, not a media file", stage: .probe,
                hint: "export the files in it, one by one or as a batch")
        case .notMedia(let name, let reason):
            input(
                .notMedia, "notMedia", "\(name) is not media that Takeup reads: \(reason)",
                stage: .probe, hint: "check that it is the right file and that it was copied whole")
        case .unsupported(let name, let reason):
            input(
                .notMedia, "unsupported", "\(name) cannot be exported as asked: \(reason)",
                stage: .plan, hint: "choose a preset that suits the file")
        case .contentIsProtected(let name, let reason):
            input(
                .notMedia, "contentIsProtected", "\(name) is protected: \(reason)",
                stage: .probe, hint: "get the file without protection from its owner")
        case .sourceIncomplete(let name, let loss):
            input(
                .notMedia, "sourceIncomplete", "\(name) \(incomplete(loss))", stage: .decode,
                hint: "get the whole file again, or salvage what is left")
        default:
            unexpected(error)
        }
    }

    private static func input(
        _ ending: Ending, _ code: String, _ message: String, stage: ExportStage = .open,
        hint: String
    ) -> Failure {
        Failure(
            code: code, stage: stage.rawValue, message: message, hint: hint, ending: ending)
    }

    /// What is missing, in words that follow a name or a pronoun.
    package static func incomplete(_ loss: LossReport) -> String {
        let kind = loss.isTruncated ? "ends too early" : "is damaged"
        let details = loss.details.isEmpty ? "" : ": " + loss.details.joined(separator: "; ")
        return "\(kind); \(loss.extent) missing\(details)"
    }

    /// A case that its table does not hold: a mistake of ours, said as such.
    public static func unexpected(_ error: any Error) -> Failure {
        Failure(
            code: "internal", stage: "request",
            message: "an error that Takeup has no words for: \(error)",
            hint: "please report this together with the command", ending: .internalError)
    }
}
