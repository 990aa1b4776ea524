/// A parsed playlist.
public enum Playlist: Equatable, Sendable {
    case master(MasterPlaylist)
    case media(MediaPlaylist)
}
