/// The shape of `mediainfo --Output=JSON`.
struct MediaInfoReport: Decodable {
    struct Media: Decodable {
        let track: [MediaInfoTrack]
    }

    let media: Media
}
