import type { MediaData } from './media-bytes.ts'

/** What a provider takes of one image, as far as it is known. */
export interface ImageLimit {
  /** The longest side in pixels. */
  readonly side?: number | undefined
  /** Width times height. */
  readonly pixels?: number | undefined
  /** The length of the file; base64, which is what providers measure, is a third longer. */
  readonly bytes?: number | undefined
  /** Media types. */
  readonly types?: readonly string[] | undefined
}

/** An image that is too large for the provider. */
export interface LargeImage {
  readonly data: Uint8Array
  /** By its first bytes. */
  readonly mediaType: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly limit: ImageLimit
}

export interface ResizedImage {
  readonly data: Uint8Array
  readonly mediaType: string
}

/**
 * Makes a smaller image of one that is too large; undefined if it cannot. `source` is the image as the request holds it, which is the
 * same value for the same image.
 */
export type Resize = (image: LargeImage, source: MediaData) => ResizedImage | undefined
