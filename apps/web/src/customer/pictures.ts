import type { PDFDocumentProxy } from 'unpdf/pdfjs';

/** The longer side of a photo, of which a code fills much: larger ones are made smaller. */
const PHOTO_PIXELS = 1600;

/** The longer side of a page, on which a code is small. */
const PAGE_PIXELS = 3200;

/** Of a PDF, the first ones. */
const MAX_PAGES = 20;

/** The reader of PDFs could not be loaded. */
export class ReaderMissing extends Error {}

export async function* photoPixels(photo: Blob): AsyncGenerator<ImageData> {
  const picture = await createImageBitmap(photo);
  const scale = Math.min(1, PHOTO_PIXELS / Math.max(picture.width, picture.height));
  const { canvas, context } = new Canvases().create(picture.width * scale, picture.height * scale);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  yield pixelsOf(context);
}

/** The pages of a PDF one by one. Their reader is loaded with the first file; what it cannot draw is left out. */
export async function* pagePixels(pdf: Blob): AsyncGenerator<ImageData> {
  const { getDocument } = await import('unpdf/pdfjs').catch(() => {
    throw new ReaderMissing();
  });
  const data = await pdf.arrayBuffer();
  // Neither the content policy nor a worker has what these options turn off.
  const without = { disableFontFace: true, isEvalSupported: false, useWasm: false, verbosity: 0 };
  const document = await getDocument({ data, CanvasFactory: Canvases, FilterFactory: NoFilters, ...without }).promise;
  for (let number = 1; number <= Math.min(MAX_PAGES, document.numPages); number++) {
    const pixels = await drawn(document, number).catch(() => null);
    if (pixels) yield pixels;
  }
}

async function drawn(document: PDFDocumentProxy, number: number): Promise<ImageData> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: PAGE_PIXELS / Math.max(width, height) });
  const { canvas, context } = new Canvases().create(viewport.width, viewport.height);
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  page.cleanup();
  return pixelsOf(context);
}

const pixelsOf = (context: OffscreenCanvasRenderingContext2D): ImageData =>
  context.getImageData(0, 0, context.canvas.width, context.canvas.height);

/** Where pictures are drawn, also by the reader of PDFs. */
class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(Math.ceil(width), Math.ceil(height));
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('the browser draws no pictures');
    return { canvas, context };
  }
  reset({ canvas }: { readonly canvas: OffscreenCanvas }, width: number, height: number) {
    canvas.width = width;
    canvas.height = height;
  }
  destroy() {}
}

/** Its own filters are elements of a document. A code needs none. */
class NoFilters {
  addFilter = () => 'none';
  addAlphaFilter = () => 'none';
  addLuminosityFilter = () => 'none';
}
