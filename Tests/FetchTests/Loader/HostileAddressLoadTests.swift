import TakeupCurl
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and hostile addresses")
struct HostileAddressLoadTests {
    @Test("each of 500 is one source, by every way of writing it down again (C11)")
    func keys() throws {
        let settings = LoaderTrial.settings()
        var keys: [WebAddress: SourceKey] = [:]
        for text in HostileAddresses.texts(500, at: ["http://127.0.0.1:1", "https://é.example"]) {
            guard let address = try? WebAddress(text) else { continue }
            let key = SourceKey(address: settings.keyText(address))
            let again = try WebAddress(WebAddress(address.text).text)
            #expect(SourceKey(address: settings.keyText(again)) == key)
            #expect(keys[address] == nil || keys[address] == key)
            #expect(SourceKey(key.description) == key)
            keys[address] = key
        }
        #expect(keys.count > 250, "\(keys.count) are addresses")
        #expect(Set(keys.values).count == keys.count)
    }

    @Test("they are asked for as they are, and found again (C11)")
    func roundTrip() throws {
        let trial = try LoaderTrial()
        var sources: [WebAddress: SourceKey] = [:]
        for text in HostileAddresses.texts(100, at: [trial.origin.url("")]) {
            guard let address = try? WebAddress(text) else {
                #expect(throws: FetchError.self) { try trial.library.loader(for: text) }
                continue
            }
            guard sources[address] == nil else { continue }
            let content = LoaderTrial.content(200 + Int64(sources.count), seed: 3)
            trial.origin.serve(address.path, OriginObject(content))
            let loader = try trial.library.loader(for: text)
            #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
            let asked = try #require(trial.origin.requests(address.path).last)
            #expect(asked.path == address.path && asked.query == address.query)
            sources[address] = loader.key
        }
        #expect(sources.count > 50, "\(sources.count) are addresses")
        #expect(Set(sources.values).count == sources.count)
        try finds(sources, trial)
    }

    /// A later run finds each of them by its normal text, and shows nothing of its query.
    private func finds(_ sources: [WebAddress: SourceKey], _ trial: borrowing LoaderTrial) throws {
        let requests = trial.origin.totals.requests
        let later = try trial.another()
        for (address, key) in sources {
            let loader = try later.loader(for: address.text)
            #expect(loader.key == key)
            let summary = try #require(try later.store.summary(key))
            #expect(summary.isComplete)
            #expect(summary.entry.address == address.redacted)
            _ = try loader.reader().everything()
        }
        #expect(trial.origin.totals.requests == requests)
        #expect(try later.store.list().count == sources.count)
    }
}
