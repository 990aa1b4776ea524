internal import Foundation

/// Hands elements from one lane to another and makes the faster side wait.
public final class BoundedQueue<Element: ~Copyable & Sendable> {
    private let condition = NSCondition()
    private let places: UnsafeMutableBufferPointer<Element>
    private var head = 0
    private var count = 0
    private var isFinished = false
    private var isClosed = false

    /// - Parameter capacity: Number of places, at least 1.
    public init(capacity: Int) {
        precondition(capacity > 0, "a queue needs a place")
        places = .allocate(capacity: capacity)
    }

    deinit {
        for offset in 0..<count { _ = places.moveElement(from: (head + offset) % places.count) }
        places.deallocate()
    }

    /// Appends an element, taking ownership; waits for a free place.
    ///
    /// - Returns: `false` if the queue is closed; `element` is then destroyed.
    public func push(_ element: consuming sending Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while count == places.count, !isClosed { condition.wait() }
        guard !isClosed else { return false }
        places.initializeElement(at: (head + count) % places.count, to: element)
        count += 1
        condition.broadcast()
        return true
    }

    /// Removes the next element; waits until there is one.
    ///
    /// - Returns: nil if the queue is empty and finished, or closed.
    public func pop() -> sending Element? {
        condition.lock()
        defer { condition.unlock() }
        while count == 0, !isFinished, !isClosed { condition.wait() }
        guard count > 0, !isClosed else { return nil }
        let element = places.moveElement(from: head)
        head = (head + 1) % places.count
        count -= 1
        condition.broadcast()
        return element
    }

    /// Signals that no more elements follow; existing elements can still be removed.
    public func finish() {
        condition.lock()
        defer { condition.unlock() }
        isFinished = true
        condition.broadcast()
    }

    /// Closes the queue for both sides: a waiting `push` or `pop` returns, later calls have no
    /// effect.
    public func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }
}

// Safe: every mutable property is read and written under `condition`.
extension BoundedQueue: @unchecked Sendable where Element: ~Copyable {}
