import type { LimitRule } from './limit-rule.ts'
import { documentWithoutText } from './media/document-without-text.ts'
import { heavyImage } from './media/heavy-image.ts'
import { mislabelledImage } from './media/mislabelled-image.ts'
import { misplacedImage } from './media/misplaced-image.ts'
import { oversizedAmongMany } from './media/oversized-among-many.ts'
import { oversizedImage } from './media/oversized-image.ts'
import { repeatedDocumentName } from './media/repeated-document-name.ts'
import { tooManyMedia } from './media/too-many-media.ts'
import { unreadableImage } from './media/unreadable-image.ts'
import { unsupportedImage } from './media/unsupported-image.ts'
import { unsupportedMedia } from './media/unsupported-media.ts'
import { brokenCharacter } from './request/broken-character.ts'
import { foreignMessageField } from './request/foreign-message-field.ts'
import { malformedToolName } from './request/malformed-tool-name.ts'
import { misplacedCacheMark } from './request/misplaced-cache-mark.ts'
import { repeatedTool } from './request/repeated-tool.ts'
import { tooManyCacheMarks } from './request/too-many-cache-marks.ts'
import { tooManyTools } from './request/too-many-tools.ts'
import { unknownToolReference } from './request/unknown-tool-reference.ts'

/**
 * The rules about a whole request, in the order in which a repair runs them: what cannot be read at all is removed first, so that it
 * does not count.
 */
export const limitRules: readonly LimitRule[] = [
  unsupportedMedia,
  unreadableImage,
  mislabelledImage,
  unsupportedImage,
  heavyImage,
  oversizedImage,
  tooManyMedia,
  oversizedAmongMany,
  misplacedImage,
  repeatedDocumentName,
  documentWithoutText,
  misplacedCacheMark,
  tooManyCacheMarks,
  unknownToolReference,
  repeatedTool,
  tooManyTools,
  malformedToolName,
  foreignMessageField,
  brokenCharacter,
]
