/// The demuxers that may open an input: real containers in one self-contained file.
///
/// The list leaves out formats that name other files or hosts (HLS, DASH, concat, image sequences,
/// SDP). The list also leaves out formats that draw text (tty, bin, xbin) and all devices.
public enum ContainerWhitelist {
    public static let names = [
        "aac", "ac3", "aiff", "alaw", "amr", "amrnb", "amrwb", "ape", "apng", "asf", "asf_o", "au",
        "av1",
        "avi", "bmp_pipe", "caf", "dirac", "dnxhd", "dsf", "dts", "dtshd", "dv", "eac3", "flac",
        "flv", "live_flv", "gif", "gxf", "h261", "h263", "h264", "hevc", "ivf", "j2k_pipe",
        "jpeg_pipe",
        "jpegls_pipe", "jpegxl_pipe", "loas", "m4v", "matroska", "webm", "mjpeg", "mlp", "mov",
        "mp4", "m4a",
        "3gp", "3g2", "mj2", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "mpegvideo", "mulaw", "mxf",
        "nsv", "nut", "obu", "ogg", "oma", "pbm_pipe", "pgm_pipe", "png_pipe", "ppm_pipe", "r3d",
        "rm", "roq", "smjpeg", "spx", "swf",
        "tak", "tiff_pipe", "truehd", "tta", "vc1", "vc1test", "vivo", "voc", "w64", "wav",
        "webp_pipe", "wtv", "wv", "yuv4mpegpipe", "iff", "qcp", "bink", "smk", "film_cpk", "jv",
        "avs", "avs2", "avs3", "cavsvideo", "mpjpeg", "ea", "thp", "psxstr", "dxa", "flic",
        "mm", "vmd", "4xm", "nuv", "pva", "rpl", "sox", "wc3movie", "xa", "xwma", "bfi", "argo_asf",
        "mtv", "mvi", "mxg", "lmlm4", "ty", "epaf", "ircam", "nistsphere", "paf", "pmp", "c93",
    ]

    /// The forms of subtitles that are files of their own.
    public static let subtitles = ["srt", "webvtt"]
}
