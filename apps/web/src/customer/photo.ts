/** The longer side. Larger photos are made smaller: a code fills much of the picture. */
const MAX_SIDE_PIXELS = 1600;

/**
 * The text of a QR code in a photo. It is decoded here, and the photo is not sent. The decoder is loaded with the first
 * photo.
 *
 * @throws Error when there is no code in it that can be read.
 */
export async function readPhoto(photo: Blob): Promise<string> {
  const { decodeQR } = await import('qr/decode.js');
  const picture = await createImageBitmap(photo);
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(picture.width, picture.height));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser draws no pictures');
  context.drawImage(picture, 0, 0, width, height);
  return decodeQR(context.getImageData(0, 0, width, height));
}
