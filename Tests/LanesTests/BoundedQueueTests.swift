import Dispatch
import Synchronization
import TakeupLanes
import Testing

@Suite("BoundedQueue")
struct BoundedQueueTests {
    /// Counts how many of itself are alive.
    private final class Counted: Sendable {
        let living: Counter

        init(_ living: Counter) {
            self.living = living
            living.add(1)
        }

        deinit { living.add(-1) }
    }

    private final class Counter: Sendable {
        private let value = Atomic<Int>(0)

        var current: Int { value.load(ordering: .sequentiallyConsistent) }

        func add(_ step: Int) { value.add(step, ordering: .sequentiallyConsistent) }
    }

    /// An element that only moves.
    private struct Unique: ~Copyable, Sendable {
        let number: Int
        let counted: Counted
    }

    @Test("hands elements over in order, however small it is", arguments: [1, 2, 7, 1000])
    func order(capacity: Int) {
        let queue = BoundedQueue<Int>(capacity: capacity)
        let group = LaneGroup()
        group.start("push") {
            for number in 0..<500 { _ = queue.push(number) }
            queue.finish()
        }
        var received: [Int] = []
        while let number = queue.pop() { received.append(number) }
        group.wait()
        #expect(received == Array(0..<500))
        #expect(queue.pop() == nil)
    }

    @Test("a full queue makes the pusher wait until there is room")
    func capacityBlocks() {
        let queue = BoundedQueue<Int>(capacity: 2)
        let pushed = Counter()
        let isThird = DispatchSemaphore(value: 0)
        let group = LaneGroup()
        group.start("push") {
            for number in 0..<3 {
                if number == 2 { isThird.signal() }
                _ = queue.push(number)
                pushed.add(1)
            }
        }
        isThird.wait()
        // The third push is under way or about to be; it cannot end before something is taken.
        #expect(pushed.current == 2)
        #expect(queue.pop() == 0)
        group.wait()
        #expect(pushed.current == 3)
        #expect(queue.pop() == 1)
        #expect(queue.pop() == 2)
    }

    @Test("what is in it when it finishes can still be taken")
    func finish() {
        let queue = BoundedQueue<Int>(capacity: 4)
        #expect(queue.push(1) && queue.push(2))
        queue.finish()
        #expect(queue.pop() == 1)
        #expect(queue.pop() == 2)
        #expect(queue.pop() == nil)
    }

    @Test("closing wakes a waiting pusher and a waiting popper")
    func closeWakes() {
        let full = BoundedQueue<Int>(capacity: 1)
        let empty = BoundedQueue<Int>(capacity: 1)
        #expect(full.push(0))
        let answers = Locked<[Bool]>([])
        let group = LaneGroup()
        group.start("push") {
            let isTaken = full.push(1)
            answers.withLock { $0.append(isTaken) }
        }
        group.start("pop") {
            let isEmpty = empty.pop() == nil
            answers.withLock { $0.append(!isEmpty) }
        }
        full.close()
        empty.close()
        group.wait()
        #expect(answers.withLock { $0 } == [false, false])
        #expect(full.pop() == nil)
        #expect(!full.push(2))
    }

    @Test("frees what nobody took, wherever it lies in the ring", arguments: 0...5)
    func noLeak(taken: Int) {
        let living = Counter()
        do {
            let queue = BoundedQueue<Unique>(capacity: 4)
            for number in 0..<taken {
                _ = queue.push(Unique(number: number, counted: Counted(living)))
                guard let element = queue.pop() else { break }
                let back = element.number
                #expect(back == number)
            }
            for number in 0..<4 {
                _ = queue.push(Unique(number: number, counted: Counted(living)))
            }
            #expect(living.current == 4)
        }
        #expect(living.current == 0)
    }

    @Test("destroys what is pushed after it was closed")
    func pushAfterClose() {
        let living = Counter()
        let queue = BoundedQueue<Unique>(capacity: 2)
        queue.close()
        let isTaken = queue.push(Unique(number: 1, counted: Counted(living)))
        #expect(!isTaken)
        #expect(living.current == 0)
    }

    @Test("several pushers and poppers lose and double nothing")
    func many() {
        let queue = BoundedQueue<Int>(capacity: 3)
        let sum = Counter()
        let (pushers, poppers) = (LaneGroup(), LaneGroup())
        for place in 0..<4 {
            pushers.start("push") {
                for number in 1...250 { _ = queue.push(place * 250 + number) }
            }
        }
        for _ in 0..<3 {
            poppers.start("pop") { while let number = queue.pop() { sum.add(number) } }
        }
        pushers.wait()
        queue.finish()
        poppers.wait()
        #expect(sum.current == 1000 * 1001 / 2)
    }

    @Test("a queue without a place is a mistake of the caller's")
    func noPlace() async {
        await #expect(processExitsWith: .failure) { _ = BoundedQueue<Int>(capacity: 0) }
    }
}
