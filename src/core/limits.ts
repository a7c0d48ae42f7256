import type { NameForm } from './ids.ts'

/**
 * Limits of a whole request, as facts of a dialect: of media, cache marks, characters, fields and tools. Without one, nothing is known
 * and nothing is changed.
 */
export interface Limits {
  /** Images, documents, and both together, in one request. */
  readonly imagesMax?: number | undefined
  readonly documentsMax?: number | undefined
  readonly mediaMax?: number | undefined
  /** The longest side of an image in pixels, and the lower limit for all images of a request with more than some. */
  readonly imageSide?: number | undefined
  readonly imageSideOfMany?: { readonly images: number; readonly side: number } | undefined
  /** Both sides of an image must be longer. */
  readonly imageSideMin?: number | undefined
  /** The length of an image as base64. */
  readonly imageBase64?: number | undefined
  /** The types of images that are accepted. */
  readonly imageTypes?: readonly string[] | undefined
  /** Images whose declared type is not the one that their first bytes show. */
  readonly mislabelledImages?: 'refuse' | undefined
  /** Images whose data is empty, cut off or something else. */
  readonly unreadableImages?: 'refuse' | undefined
  /** No media at all. */
  readonly media?: 'refuse' | undefined
  /** Documents that share a name. */
  readonly repeatedDocumentNames?: 'refuse' | undefined
  /** Images in assistant messages. */
  readonly assistantImages?: 'refuse' | undefined
  /** Documents in a message without a text. */
  readonly documentsAlone?: 'refuse' | undefined
  /** Blocks with a cache mark, those of tools and the system prompt included. */
  readonly cacheMarks?: number | undefined
  /** Cache points, which are blocks of their own, those of tools and the system prompt included; none may follow reasoning. */
  readonly cachePoints?: number | undefined
  /** Strings with half a character. */
  readonly loneSurrogates?: 'refuse' | undefined
  /** Fields of messages that other providers have and this one rejects; `user.name` is one of user messages only. */
  readonly foreignFields?: readonly string[] | undefined
  /** Fields of blocks that it rejects. */
  readonly foreignBlockFields?: readonly string[] | undefined
  /** The form of the names of declared tools. */
  readonly toolNames?: NameForm | undefined
  /** Declared tools. */
  readonly toolsMax?: number | undefined
  /** Tools that share a name. */
  readonly repeatedTools?: 'refuse' | undefined
  /** References to tools: only to those that are declared, or none. */
  readonly toolReferences?: 'declared' | 'refuse' | undefined
}
