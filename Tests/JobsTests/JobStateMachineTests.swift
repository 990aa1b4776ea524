import TakeupJobs
import Testing

@Suite("Job state machine")
struct JobStateMachineTests {
    typealias Event = JobStateMachine.Event
    typealias Action = JobStateMachine.Action

    static let events: [Event] = [
        .claimed, .succeeded, .answeredFromCache, .failed(retryable: true),
        .failed(retryable: false), .crashed, .returned(isDelayed: true),
        .returned(isDelayed: false), .leaseLost, .cancelRequested, .stopped, .retryRequested,
    ]

    /// What one event does to a running job that has tries left.
    static let whileRunning: [(Event, JobState, Action)] = [
        (.claimed, .running, .ignore), (.succeeded, .succeeded, .complete),
        (.answeredFromCache, .cached, .complete),
        (.failed(retryable: true), .scheduled, .retry(attempt: 1)),
        (.failed(retryable: false), .failed, .giveUp), (.crashed, .scheduled, .retry(attempt: 1)),
        (.returned(isDelayed: true), .scheduled, .requeue),
        (.returned(isDelayed: false), .queued, .requeue), (.leaseLost, .queued, .requeue),
        (.cancelRequested, .running, .stopWorker), (.stopped, .queued, .requeue),
        (.retryRequested, .running, .ignore),
    ]

    @Test("does this to a running job", arguments: whileRunning)
    func running(event: Event, state: JobState, action: Action) {
        var machine = JobStateMachine(state: .running, retries: 1)
        #expect(machine.apply(event) == action)
        #expect(machine.state == state)
    }

    @Test("is claimed or cancelled while it waits, and nothing else", arguments: events)
    func waiting(event: Event) {
        for state in [JobState.queued, .scheduled] {
            var machine = JobStateMachine(state: state, retries: 1, failures: 1)
            let before = machine
            let action = machine.apply(event)
            switch event {
            case .claimed:
                #expect(action == .start && machine.state == .running)
            case .cancelRequested:
                #expect(action == .giveUp && machine.state == .cancelled)
            case .succeeded, .answeredFromCache, .failed, .crashed, .returned, .leaseLost,
                .stopped, .retryRequested:
                #expect(action == .ignore && machine == before)
            }
        }
    }

    @Test("leaves a terminal state by a retry alone", arguments: events)
    func terminal(event: Event) {
        for state in JobState.allCases where state.isTerminal {
            var machine = JobStateMachine(
                state: state, retries: 2, failures: 3, crashes: 1, interruptions: 4,
                isCancelRequested: true)
            let before = machine
            let action = machine.apply(event)
            if event == .retryRequested {
                #expect(action == .requeue && machine == JobStateMachine(retries: 2))
            } else {
                #expect(action == .ignore && machine == before)
            }
        }
    }

    @Test("fails after as many tries as were asked for", arguments: 0...4)
    func tries(retries: Int) {
        var machine = JobStateMachine(retries: retries)
        for attempt in 1..<(retries + 1) {
            #expect(machine.apply(.claimed) == .start)
            #expect(machine.apply(.failed(retryable: true)) == .retry(attempt: attempt))
        }
        #expect(machine.apply(.claimed) == .start)
        #expect(machine.apply(.failed(retryable: true)) == .giveUp)
        #expect(machine.state == .failed && machine.failures == retries + 1)
    }

    @Test("is quarantined by its third crash, however many tries are left")
    func crashes() {
        var machine = JobStateMachine(retries: 100)
        for attempt in 1...2 {
            #expect(machine.apply(.claimed) == .start)
            #expect(machine.apply(.crashed) == .retry(attempt: attempt))
        }
        #expect(machine.apply(.claimed) == .start)
        #expect(machine.apply(.crashed) == .quarantine)
        #expect(machine.state == .quarantined && machine.crashes == JobStateMachine.crashLimit)
    }

    @Test("counts an interruption as no failure")
    func interruptions() {
        var machine = JobStateMachine(retries: 0)
        let events: [Event] = [.leaseLost, .returned(isDelayed: true), .returned(isDelayed: false)]
        for event in events {
            #expect(machine.apply(.claimed) == .start)
            #expect(machine.apply(event) == .requeue)
        }
        #expect(machine.interruptions == 3)
        #expect(machine.failures == 0 && machine.crashes == 0)
    }

    @Test("starts nothing again after a cancel, and lets a success stand", arguments: whileRunning)
    func cancelled(event: Event, state: JobState, action: Action) {
        var machine = JobStateMachine(state: .running, retries: 1)
        #expect(machine.apply(.cancelRequested) == .stopWorker)
        let after = machine.apply(event)
        switch event {
        case .succeeded, .answeredFromCache:
            #expect(after == .complete && machine.state == state)
        case .claimed, .cancelRequested:
            #expect(after == action && machine.state == .running && machine.isCancelRequested)
        case .retryRequested:
            #expect(after == .letWorkerGoOn && machine.state == .running)
            #expect(!machine.isCancelRequested)
            #expect(machine.apply(.stopped) == .requeue && machine.state == .queued)
        case .failed, .crashed, .returned, .leaseLost, .stopped:
            #expect(after == .giveUp && machine.state == .cancelled)
        }
    }
}
