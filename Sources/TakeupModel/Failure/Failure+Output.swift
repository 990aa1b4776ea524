extension Failure {
    /// Errors whose cause is the destination or the finished file.
    static func aboutOutput(_ error: ExportError) -> Failure {
        switch error {
        case .outputExists(let path):
            output(
                .outputNotCreated, "outputExists", "\(path) exists and was left as it is",
                hint: "choose another name, or let the output be replaced or numbered (overwrite)")
        case .outputNotCreated(let path, let reason):
            output(
                .outputNotCreated, "outputNotCreated", "cannot create \(path): \(reason)",
                hint: "check that the folder exists and can hold the file")
        case .outputNotPermitted(let path):
            output(
                .notPermitted, "outputNotPermitted", "cannot create \(path): permission denied",
                hint: "choose a folder that you may write to")
        case .diskFull(let path):
            output(
                .diskFull, "diskFull", "no space left for \(path)", stage: .mux,
                hint: "free some space or choose another disk; nothing was left behind")
        case .outputFailed(let path, let reason):
            output(
                .inputOutput, "outputFailed", "writing \(path) failed: \(reason)", stage: .mux,
                hint: "check the disk; nothing was left behind")
        case .sizeLimitUnreachable(let limit, let smallest):
            sizeLimit(limit, "the smallest takes \(smallest) bytes")
        case .sizeLimitTooLow(let limit, let least):
            sizeLimit(limit, "it takes more than \(least) bytes, however low its quality")
        case .verificationFailed(let path, let reason):
            output(
                .verificationFailed, "verificationFailed",
                "\(path) is not what the plan promised and was not published: \(reason)",
                stage: .verify, hint: "please report this together with the source")
        default:
            unexpected(error)
        }
    }

    private static func sizeLimit(_ limit: Int64, _ need: String) -> Failure {
        output(
            .failed, "sizeLimitUnreachable",
            "the output does not fit into \(limit) bytes; \(need)", stage: .encode,
            hint: "raise the size limit, choose a smaller preset, or trim")
    }

    private static func output(
        _ ending: Ending, _ code: String, _ message: String, stage: ExportStage = .publish,
        hint: String
    ) -> Failure {
        Failure(
            code: code, stage: stage.rawValue, message: message, hint: hint, ending: ending)
    }
}
