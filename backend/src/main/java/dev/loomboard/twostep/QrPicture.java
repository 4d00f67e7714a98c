package dev.loomboard.twostep;

import io.nayuki.qrcodegen.QrCode;

/**
 * A QR code as a path of squares.
 *
 * @param side of the picture, in squares, with the quiet margin around it
 * @param path of its dark squares, as SVG has it
 */
public record QrPicture(int side, String path) {

    private static final int MARGIN = 4; // as the standard asks for

    static QrPicture of(String text) {
        QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
        StringBuilder path = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            for (int x = 0; x < code.size; x++) {
                if (code.getModule(x, y)) {
                    path.append('M')
                            .append(x + MARGIN)
                            .append(' ')
                            .append(y + MARGIN)
                            .append("h1v1h-1z");
                }
            }
        }
        return new QrPicture(code.size + 2 * MARGIN, path.toString());
    }
}
