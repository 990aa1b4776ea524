internal import Foundation
internal import TakeupDigest
internal import TakeupModel
package import TakeupIntake
internal import TakeupJobs
package import TakeupWatch

/// What is made of one watched file, and how that came about.
package struct FileDecision: Sendable {
    package let policy: FolderPolicy
    /// With what a rule says.
    package let options: BatchOptions
    /// The template of the output's name.
    package let name: OutputTemplate
    package let decision: WatchRules.Decision
    /// Why nothing is made of it; nil where something is.
    package let skip: String?
    /// Whether an output is given only when it is smaller than the file.
    package var onlySmaller: Bool { decision.result.keepIfSmaller ?? policy.onlySmaller }

    /// - Parameters:
    ///   - policy: Of the folder that the file is in.
    ///   - facts: With its path and size; the rest as far as it is known.
    /// - Throws: For a preset that cannot be read any more.
    package init(
        _ policy: FolderPolicy, _ facts: FileFacts
    ) throws(WatchError) {
        self.policy = policy
        decision = policy.rules.decision(for: facts)
        skip = Self.reasonToSkip(policy, facts, decision)
        var options = policy.options
        if let preset = decision.result.preset { options.preset = preset }
        options.presetChanges += decision.result.presetChanges.compactMap(
            PresetChange.init(parsing:))
        options.priority = decision.result.priority ?? options.priority
        self.options = options
        if let own = decision.result.output ?? policy.name {
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
        _ policy: FolderPolicy, _ facts: FileFacts, _ decision: WatchRules.Decision
    ) -> String? {
        if let skip = policy.skip { return skip }
        if let bytes = facts.bytes, bytes < policy.minBytes {
            return "it is smaller than \(ByteSize(bytes: policy.minBytes))"
        }
        return decision.result.skip
    }

    /// Returns the text of all that Takeup makes from a file; if the text changes, the file counts as new.
    package func work(output: String?) throws -> String {
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
        return String(SHA256Digest.of(text).prefix(32))
    }
}
