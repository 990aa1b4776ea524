/// What a playlist's text turned out to be.
public enum Playlist: Equatable, Sendable {
    case master(MasterPlaylist)
    case media(MediaPlaylist)
}
