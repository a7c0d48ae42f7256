import type { MediaData } from '../../core/media/media-bytes.ts'
import type { ImageLimit, LargeImage, Resize, ResizedImage } from '../../core/media/resize.ts'

/**
 * Makes a smaller image of one that is too large for the provider, directly or as a promise; undefined if it cannot. `image.limit` is the
 * limit of the provider. If the returned image is still too large or not an image, or if the function throws or takes longer than
 * 20 seconds, the image becomes a text.
 */
export type ResizeImage = (image: LargeImage) => ResizedImage | undefined | PromiseLike<ResizedImage | undefined>

type Answer = { readonly image: ResizedImage | undefined } | { readonly error: unknown }

/**
 * Runs repairs, which are synchronous, with a `resize` that may not be: a repair is run again once the images that it asked for are made.
 * The same image is made once: later requests of a conversation contain it again, and must have the same bytes for the prompt cache.
 */
export class ImageResizer {
  /** Undefined if the caller has none: then no image is resized. */
  readonly resize: ResizeImage | undefined
  readonly #onError: (error: unknown) => void
  /** By the SHA-256 of an image and its limit. The newest are last; `#bytes` is their length together. */
  readonly #made = new Map<string, ResizedImage>()
  readonly #making = new Map<string, Promise<ResizedImage | undefined>>()
  #bytes = 0

  /** The resizer of a function: the same for all requests with that function, and with the `onError` of the first. */
  static of(resize: ResizeImage | undefined, onError: (error: unknown) => void): ImageResizer {
    const known = resize && resizers.get(resize)
    if (known) return known
    const resizer = new ImageResizer(resize, onError)
    if (resize) resizers.set(resize, resizer)
    return resizer
  }

  constructor(resize: ResizeImage | undefined, onError: (error: unknown) => void) {
    this.resize = resize && (image => this.#make(resize, image))
    this.#onError = onError
  }

  /** Runs a repair. If the signal is aborted, images that are not made yet become texts. */
  async run<Result>(repair: (resize: Resize | undefined) => Result, signal?: AbortSignal | undefined): Promise<Result> {
    const { resize } = this
    if (!resize) return repair(undefined)
    const answers = new Map<MediaData, Map<string, Answer>>()
    for (let round = 0; round < roundsMax; round++) {
      const asked: { readonly image: LargeImage; readonly source: MediaData }[] = []
      const result = repair((image, source) => {
        const answer = answers.get(source)?.get(keyOf(image.limit))
        if (!answer) asked.push({ image, source })
        else if ('error' in answer) throw answer.error
        return answer?.image
      })
      if (asked.length === 0) return result
      const making = asked.map(async ({ image, source }) => {
        const known = answers.get(source) ?? new Map<string, Answer>()
        answers.set(source, known)
        if (!known.has(keyOf(image.limit))) known.set(keyOf(image.limit), await answerOf(resize, image))
      })
      if (!(await settled(Promise.all(making), signal))) return result
    }
    return repair(undefined)
  }

  async #make(resize: ResizeImage, image: LargeImage): Promise<ResizedImage | undefined> {
    const key = `${await fingerprint(image.data)} ${keyOf(image.limit)}`
    const known = this.#made.get(key)
    const made = known ?? (await this.#makeOnce(resize, image, key))
    if (made?.data instanceof Uint8Array) this.#keep(key, made)
    return made
  }

  /** Requests that are sent at the same time, and places with the same image, share one. */
  async #makeOnce(resize: ResizeImage, image: LargeImage, key: string): Promise<ResizedImage | undefined> {
    const making = this.#making.get(key) ?? withinTime((async () => resize(image))())
    this.#making.set(key, making)
    try {
      return await making
    } catch (error) {
      this.#onError(error)
      throw error
    } finally {
      this.#making.delete(key)
    }
  }

  #keep(key: string, made: ResizedImage): void {
    if (!this.#made.delete(key)) this.#bytes += made.data.length
    this.#made.set(key, made)
    for (const [oldest, { data }] of this.#made) {
      if (this.#bytes <= bytesMax && this.#made.size <= imagesMax) return
      this.#made.delete(oldest)
      this.#bytes -= data.length
    }
  }
}

const resizers = new WeakMap<ResizeImage, ImageResizer>()

/** A second round is needed if a later rule has a lower limit. The maximum only makes sure that there is an end. */
const roundsMax = 8

/** A request must not wait for ever. The proxy gives a long request 30 seconds for all of its repair. */
const timeMs = 20_000

const [bytesMax, imagesMax] = [64 * 1024 * 1024, 1000]

function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no image after ${timeMs / 1000} seconds`)), timeMs)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function answerOf(resize: ResizeImage, image: LargeImage): Promise<Answer> {
  try {
    return { image: await resize(image) }
  } catch (error) {
    return { error }
  }
}

const keyOf = ({ side, pixels, bytes, types }: ImageLimit): string => [side, pixels, bytes, types].join(' ')

/** A cryptographic hash, because images of different users must never be confused. */
async function fingerprint(data: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the work was done before the signal was aborted. */
async function settled(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (!signal) {
    await work
    return true
  }
  if (signal.aborted) return false
  let onAbort = (): void => {}
  const aborted = new Promise<boolean>(resolve => {
    onAbort = () => resolve(false)
    signal.addEventListener('abort', onAbort)
  })
  const isDone = await Promise.race([work.then(() => true), aborted])
  signal.removeEventListener('abort', onAbort)
  return isDone
}
