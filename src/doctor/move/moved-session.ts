/** A session on its way to another program: its content, in a form that does not depend on a program. */
export interface MovedSession {
  /** A new UUID. Programs with ids of another form make their own. */
  readonly id: string
  readonly title: string
  /** The working directory: programs look for sessions by it. */
  readonly cwd: string
  /** When it began, in milliseconds. */
  readonly created: number
  /** Each message later than the one before it. */
  readonly messages: readonly MovedMessage[]
}

export interface MovedMessage {
  readonly role: 'user' | 'assistant'
  readonly time: number
  /** Text and images before calls: a message with calls ends with them. */
  readonly parts: readonly MovedPart[]
}

export type MovedPart = MovedText | MovedImage | MovedCall

export interface MovedText {
  readonly kind: 'text'
  readonly text: string
}

export interface MovedImage {
  readonly kind: 'image'
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

export interface MovedCall {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: MovedResult
}

export interface MovedResult {
  readonly time: number
  readonly isError: boolean
  readonly text: string
  readonly images: readonly MovedImage[]
}

/** The text of a message's parts, without calls and images. */
export const textOf = (parts: readonly MovedPart[]): string =>
  parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n\n')

export const callsOf = (parts: readonly MovedPart[]): MovedCall[] => parts.filter(part => part.kind === 'call')

export const imagesOf = (parts: readonly MovedPart[]): MovedImage[] => parts.filter(part => part.kind === 'image')
