internal import TakeupTimeline

/// How a list of clips becomes a composition: how long each is shown, how clips lie in the frame and follow each other,
/// and how music lies under them.
public struct CompositionTemplate: Sendable, Equatable {
    /// How music lies under the clips, to whose length it is repeated or cut.
    public struct Music: Sendable, Equatable {
        /// A factor of amplitude, 0 to 10.
        public var volume: Double
        /// How long it takes to become silent at the end, in seconds: 0 to 60.
        public var fadeOutSeconds: Double
        /// The factor beside `volume` while the clips are heard, 0 to 1; nil leaves the music as loud as it is.
        public var duckVolume: Double?

        public init(
            volume: Double = 0.5, fadeOutSeconds: Double = 2, duckVolume: Double? = 0.25
        ) {
            (self.volume, self.fadeOutSeconds) = (volume, fadeOutSeconds)
            self.duckVolume = duckVolume
        }
    }

    public var name: String
    public var description: String
    /// The name of the preset that goes with it.
    public var preset: String
    /// The longest that a clip is shown, in seconds: 0.1 to 3600; nil shows all of it.
    ///
    /// A still picture is shown as long.
    public var clipSeconds: Double?
    /// How a clip of another shape goes into the frame.
    public var fit: Layout.Fit
    /// How a clip replaces the one before it; nil for a cut.
    public var transition: Transition.Kind?
    /// How long that takes, in seconds: 0.04 to 10.
    public var transitionSeconds: Double
    public var music: Music

    public init(
        name: String, description: String = "", preset: String, clipSeconds: Double? = nil,
        fit: Layout.Fit = .fit, transition: Transition.Kind? = nil,
        transitionSeconds: Double = 0.5, music: Music = Music()
    ) {
        (self.name, self.description, self.preset) = (name, description, preset)
        (self.clipSeconds, self.fit) = (clipSeconds, fit)
        (self.transition, self.transitionSeconds) = (transition, transitionSeconds)
        self.music = music
    }

    /// Lays out clips.
    ///
    /// - Parameters:
    ///   - clips: Paths or addresses, in order.
    ///   - music: The same of a sound; nil for none.
    /// - Returns: One track of the clips, and one of the music.
    public func composition(of clips: [String], music: String? = nil) -> Composition {
        let segments = clips.enumerated().map { place, source in
            var segment = Composition.Segment(source: source)
            segment.most = clipSeconds.map { MediaTime(seconds: $0) }
            if place > 0, let transition {
                segment.transition = Transition(
                    transition, MediaTime(seconds: transitionSeconds))
            }
            return segment
        }
        let film = Composition.Track(.all, segments: segments, layout: Layout(fit: fit))
        guard let music else { return Composition(tracks: [film]) }
        var sound = Composition.Track(
            .audio, segments: [Composition.Segment(source: music)],
            volume: self.music.volume == 1 ? nil : Volume(self.music.volume),
            duck: self.music.duckVolume.map { Ducking(under: 0, to: $0) })
        sound.loop = Looping(fadeOut: MediaTime(seconds: self.music.fadeOutSeconds))
        return Composition(tracks: [film, sound])
    }
}
