/** Requests with media for the examples. */

/** A PNG of a size, without pixels. */
export const png = (width: number, height: number): string =>
  btoa(
    latin1(
      [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...number(13), ...letters('IHDR'), ...number(width), ...number(height)],
      [8, 2, 0, 0, 0, ...number(0), ...number(0), ...letters('IEND'), 0xae, 0x42, 0x60, 0x82],
    ),
  )

/** A JPEG of a size, without pixels. */
export const jpeg = (width: number, height: number): string =>
  btoa(latin1([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]))

/** The head of a BMP. */
export const bmp = btoa(latin1(letters('BM'), number(0), number(0), number(0), Array(40).fill(1)))

export const image = (data: string, type = 'image/png'): object => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
})

export const request = (...content: unknown[]): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  messages: [{ role: 'user', content }],
})

export const text = (text: string): object => ({ type: 'text', text })

export const converse = (modelId: string, ...content: unknown[]): object => ({
  modelId,
  messages: [{ role: 'user', content }],
})

export const bedrockImage = (bytes: string): object => ({ image: { format: 'png', source: { bytes } } })

export const bedrockDocument = (name: string): object => ({
  document: { name, format: 'txt', source: { bytes: 'SGVsbG8=' } },
})

function letters(word: string): number[] {
  return [...word].map(letter => letter.charCodeAt(0))
}

function number(value: number): number[] {
  return [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function latin1(...bytes: readonly number[][]): string {
  return String.fromCharCode(...bytes.flat())
}
