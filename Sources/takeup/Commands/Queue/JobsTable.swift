/// The group of commands about the queue.
enum JobsTable {
    static let specification = CommandSpecification(
        name: "jobs",
        summary: "Show and steer the queue",
        details: "A job that ended stays listed until it is pruned.",
        subcommands: [
            JobsListCommand.specification, JobsShowCommand.specification,
            JobsCancelCommand.specification, JobsRetryCommand.specification,
            JobsPruneCommand.specification,
        ],
        examples: [
            .init(line: "takeup jobs list --state failed", effect: "what went wrong lately")
        ])

    static let ids = ArgumentSpecification(
        name: "ID", count: 1...10_000, help: "A job's id")
}
