import TakeupCache
import TakeupModel
import TakeupFetch
import TakeupService
import TakeupTelemetry
import TakeupWorker

/// The options that say from where sources may be fetched and what may be kept of them, as the commands that fetch share
/// them.
struct NetworkOptions: Sendable, Equatable {
    /// The longest time for one source.
    ///
    /// At the least speed that is no stall a day brings 88 MB: what takes longer is no download. What has come stays,
    /// and the next one goes on from there.
    private static let longestSeconds = 86_400.0

    /// Besides the cache's folder and limits, which some commands have already.
    static let allowNetwork = OptionSpecification(
        name: "allow-network", valueName: "CIDR", environment: "TAKEUP_ALLOW_NETWORK",
        accepts: { networks([$0]) != nil }, isRepeatable: true,
        help: "Fetch from this network too, such as 127.0.0.0/8; else public addresses only")

    /// For commands that use nothing else of the cache.
    static let specifications =
        [allowNetwork, StateOptions.cache] + CacheLimitOptions.specifications

    /// What the cache may grow to.
    let limits: CacheLimits
    private let permitted: [NetworkPrefix]
    private let cache: String?
    private let style: OutputStyle
    private let kind: SessionLog.Kind

    /// `kind` is what is fetched for, as the log says it.
    init(_ input: CommandInput, kind: SessionLog.Kind = .export) throws(UsageError) {
        (style, self.kind) = (OutputStyle(input), kind)
        let texts = input.values("allow-network")
        guard let permitted = Self.networks(texts) else {
            throw UsageError(
                "--allow-network cannot be '\(texts.joined(separator: ","))'",
                hint: "write a network such as 127.0.0.0/8 or fd00::/8, or one address",
                path: input.path)
        }
        (self.permitted, cache) = (permitted, input.value("cache"))
        limits = try CacheLimitOptions(input).limits
    }

    /// Each may be several, with commas between them, as a variable has them.
    private static func networks(_ texts: [String]) -> [NetworkPrefix]? {
        var networks: [NetworkPrefix] = []
        for text in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let network = NetworkPrefix(String(text)) else { return nil }
            networks.append(network)
        }
        return networks
    }

    /// Opens the store of fetched sources in the cache's folder, and makes both where there are none.
    func library(in context: CommandContext) throws(Failure) -> SourceLibrary {
        // Home is not looked for: without a database there is nothing in it.
        let request = StatePlaces.Request(home: "/", cache: cache)
        let places = try StatePlaces(
            request, environment: context.environment, absolute: context.absolute)
        return try library(
            at: places, keptBytes: limits.maxBytes, clock: context.wallClock,
            log: CommandLog(context, style).lines)
    }

    /// Opens the store of fetched sources of a machine.
    func library(
        at places: StatePlaces, keptBytes: Int64? = nil,
        clock: @escaping @Sendable () -> Double, log: Log = .silent
    ) throws(Failure) -> SourceLibrary {
        do throws(FetchError) {
            let store = try SourceStore(cacheFolder: places.cache, clock: clock)
            // A disk from which nothing can be let go, such as a read-only one, may still be read.
            _ = try? store.evict(SourceLimits(limits))
            var settings = FetchSettings(
                addressPolicy: AddressPolicy(
                    permitted: permitted, ports: nil, permitsPlainHTTP: true))
            settings.kind = kind
            ObjectSources.permit(in: &settings, places.bucketSettings)
            settings.keptBytes = keptBytes
            settings.storeLimits = SourceLimits(limits)
            settings.totalSeconds = Self.longestSeconds
            // What was fetched before is used again only if the origin still has it.
            settings.freshSeconds = 0
            return SourceLibrary(store: store, settings: settings) { $0.write(to: log) }
        } catch {
            throw Failure(error)
        }
    }
}
