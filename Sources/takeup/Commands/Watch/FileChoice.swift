import Foundation
import TakeupDigest
import TakeupModel
import TakeupIntake
import TakeupJobs
import TakeupWatch

/// What is made of one watched file, and how that came about.
struct FileChoice: Sendable {
    let treatment: FileTreatment
    /// With what a rule says.
    let options: BatchOptions
    /// Of the output.
    let name: OutputTemplate
    let decision: WatchRules.Decision
    /// Why nothing is made of it; nil where something is.
    let skip: String?
    /// Whether an output is given only when it is smaller than the file.
    var onlySmaller: Bool { decision.result.keepIfSmaller ?? treatment.onlySmaller }

    /// - Parameters:
    ///   - treatment: Of the folder that the file is in.
    ///   - facts: With its path and size; the rest as far as it is known.
    ///   - context: Where relative paths start.
    /// - Throws: For a preset that cannot be read any more.
    init(
        _ treatment: FileTreatment, _ facts: FileFacts, in context: CommandContext
    ) throws(WatchError) {
        self.treatment = treatment
        decision = treatment.rules.decision(for: facts)
        skip = Self.reasonToSkip(treatment, facts, decision)
        var options = treatment.options
        if let preset = decision.result.preset { options.preset = context.presetPlace(preset) }
        options.presetChanges += decision.result.presetChanges.compactMap(
            PresetChange.init(parsing:))
        options.priority = decision.result.priority ?? options.priority
        self.options = options
        if let own = decision.result.output ?? treatment.name {
            name = own
            return
        }
        let suffix: String
        do throws(PresetError) {
            suffix = try ExportPreset.resolve(options.preset, in: options.presetFolder)
                .setting(options.presetChanges).fileExtension
        } catch {
            throw .unreadable(setting: "preset \(options.preset)", reason: Failure(error).message)
        }
        name = try OutputTemplate("{folder}/{stem}.\(suffix)")
    }

    private static func reasonToSkip(
        _ treatment: FileTreatment, _ facts: FileFacts, _ decision: WatchRules.Decision
    ) -> String? {
        if let skip = treatment.skip { return skip }
        if let bytes = facts.bytes, bytes < treatment.minBytes {
            return "it is smaller than \(ByteSize(bytes: treatment.minBytes))"
        }
        return decision.result.skip
    }

    /// Of all that is to be made of a file; a change of it makes files new.
    func work(output: String?) throws -> String {
        var job = SingleJob(sources: ["/source"], folder: "/")
        let output = output.map { "\($0)/\(name.text)" }
        // With its suffix looked at.
        job.output = output
        // What ledgers of earlier releases hold must stay the same.
        var form = try JobSpec.FirstForm(try job.spec(options))
        // What says when and how, and not what, makes nothing new.
        (form.id, form.output, form.priority, form.retries) = (JobID(rawValue: ""), output, 0, 0)
        (form.expiresSeconds, form.overwrite, form.verify) = (nil, "", "")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var text = String(decoding: try encoder.encode(form), as: UTF8.self)
        if onlySmaller { text += "only smaller" }
        return String(try SHA256Digest.of(text).prefix(32))
    }
}
