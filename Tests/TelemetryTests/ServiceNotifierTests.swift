import Foundation
import TakeupTelemetry
import TestSupport
import Testing

@Suite("ServiceNotifier")
struct ServiceNotifierTests {
    @Test("a message arrives as one datagram, at a path and at an abstract name")
    func arrives() throws {
        let directory = try TemporaryDirectory()
        for name in [directory.file("notify"), "@takeup-test-\(UUID().uuidString)"] {
            let manager = try NotifySocket(name)
            let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": name]))
            #expect(notifier.watchdogSeconds == nil)
            var message = ServiceMessage(.ready)
            message.status = "3 running\nREADY=1"
            #expect(notifier.send(message))
            #expect(manager.receive(seconds: 60) == ["READY=1", "STATUS=3 runningREADY=1"])
        }
    }

    @Test("nobody is told where nobody listens, and a manager that is gone fails nothing")
    func absent() throws {
        let directory = try TemporaryDirectory()
        let names = [
            "", "/", "@", "vsock:2:9999", "relative", "/" + String(repeating: "x", count: 200),
        ]
        for name in names {
            #expect(ServiceNotifier(environment: ["NOTIFY_SOCKET": name]) == nil, "\(name)")
        }
        #expect(ServiceNotifier(environment: [:]) == nil)
        let gone = ["NOTIFY_SOCKET": directory.file("gone")]
        #expect(ServiceNotifier(environment: gone)?.send(ServiceMessage(.ready)) == false)
    }

    @Test(
        "the watchdog's interval counts for the process that it is meant for",
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 30),
            (["WATCHDOG_USEC": "1", "WATCHDOG_PID": "7"], 1e-6),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "often"], nil), (["WATCHDOG_USEC": "1", "WATCHDOG_PID": "x"], nil),
        ] as [([String: String], Double?)])
    func watchdog(environment: [String: String], seconds: Double?) throws {
        let all = environment.merging(["NOTIFY_SOCKET": "/run/x"]) { one, _ in one }
        let notifier = try #require(ServiceNotifier(environment: all, process: 7))
        #expect(notifier.watchdogSeconds == seconds)
    }

    @Test("each part of a message is a line")
    func text() {
        var message = ServiceMessage(.reloading(monotonicMicroseconds: 12))
        #expect(message.text == "RELOADING=1\nMONOTONIC_USEC=12")
        message = ServiceMessage(.stopping)
        (message.isAlive, message.extensionSeconds) = (true, 1.5)
        #expect(message.text == "STOPPING=1\nWATCHDOG=1\nEXTEND_TIMEOUT_USEC=1500000")
        #expect(ServiceMessage().isEmpty)
    }
}
