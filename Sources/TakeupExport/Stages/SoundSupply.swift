internal import TakeupFFmpeg

/// Takes a block of sound in the output's format, with its time in samples; the block is used up.
typealias SoundTaker = (borrowing Frame) throws(FFmpegError) -> Void

/// Where the sound of an output track comes from.
protocol SoundSupply: AnyObject {
    /// Gives all blocks, each directly after the one before; stops early with the export.
    func run(_ give: @escaping SoundTaker) throws(FFmpegError)
}
