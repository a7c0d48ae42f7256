import { findMedia } from '../../../core/request/media-parts.ts'
import { addDocumentText } from '../../../core/rules/media/document-without-text.ts'
import { renameDocuments } from '../../../core/rules/media/repeated-document-name.ts'
import { replaceHalves } from '../../../core/rules/request/broken-character.ts'
import { dropToolTwins } from '../../../core/rules/request/repeated-tool.ts'
import type { RequestDraft } from '../request-draft.ts'
import * as encrypted from './encrypted.ts'
import * as fields from './fields.ts'
import * as length from './length.ts'
import { dropMarked } from './marked.ts'
import * as media from './media.ts'
import * as messages from './messages.ts'
import * as output from './output.ts'
import { repairPartTypes } from './part-types.ts'
import * as reasoning from './reasoning.ts'
import { plainSchemas } from './schemas.ts'
import * as signatures from './signatures.ts'
import * as tools from './tools.ts'

/** Changes a request as little as answers a rejection; nothing if the request does not have what the text speaks of. */
export type RejectionRepair = (draft: RequestDraft) => void

/** The repairs, by the name that entries of the table have for them. */
export const rejectionRepairs: Readonly<Record<string, RejectionRepair | undefined>> = Object.assign(
  Object.create(null),
  {
    'reasoning-block': reasoning.dropNamedReasoning,
    'reasoning-from': reasoning.dropReasoningFrom,
    'reasoning-message': reasoning.dropReasoningOfMessage,
    'reasoning-incomplete': reasoning.dropIncompleteReasoning,
    'reasoning-misplaced': reasoning.dropMisplacedReasoning,
    'reasoning-trailing': reasoning.dropTrailingReasoning,
    'reasoning-open': reasoning.dropOpenReasoning,
    marked: dropMarked,
    'reasoning-all': reasoning.dropAllReasoning,
    'thinking-off': reasoning.switchThinkingOff,
    'encrypted-blob': encrypted.dropEncryptedBlob,
    'encrypted-item': encrypted.dropEncryptedItem,
    'encrypted-all': encrypted.dropAllEncrypted,
    'item-gone': encrypted.dropItemGone,
    'response-gone': encrypted.dropResponseGone,
    'cached-content': encrypted.dropCachedContent,
    'file-gone': media.replaceFile,
    'thought-signatures': signatures.dropThoughtSignatures,
    'thought-unsigned': signatures.signCalls,
    'image-side': media.replaceTallImages,
    'image-side-many': media.replaceTallImagesOfMany,
    'image-area': media.replaceLargeImages,
    'image-small': media.replaceSmallImages,
    'image-bytes': media.replaceHeavyImages,
    'image-uri': media.replaceLongUris,
    'image-count': media.replaceOldest('image'),
    'media-count': media.replaceOldest('image', 'document'),
    'media-pages': media.replaceOldestPages(true),
    'image-unreadable': media.replaceUnreadableImages,
    'image-base64': media.repairBase64,
    'image-type': media.repairImageTypes,
    'image-type-gemini': media.replaceTypesGeminiRejects,
    'media-type-named': media.replaceNamedType,
    'media-url': media.replaceUrls,
    'media-kind': media.replaceKind,
    'media-all': media.replaceAll,
    'image-move': messages.moveRejectedImages,
    'pdf-pages': media.replaceOldestPages(false),
    'pdf-invalid': media.replacePdfs('invalid'),
    'pdf-password': media.replacePdfs('password'),
    'pdf-unreadable': media.replacePdfs('any'),
    'document-names': draft => renameDocuments(draft, findMedia(draft)),
    'document-count': media.replaceOldest('document'),
    'document-text': addDocumentText,
    'string-content': messages.flattenContent(),
    'string-content-named': messages.flattenNamed,
    'tool-string': messages.flattenContent('tool'),
    'request-bytes': length.shrinkRequest,
    'request-megabytes': length.shrinkToMegabytes,
    'request-copilot': length.shrinkForCopilot,
    'string-length': output.cutString,
    'string-longest': output.cutLongStrings,
    overflow: length.shortenToWindow,
    'overflow-prompt': output.fitPrompt,
    'overflow-learnt': length.shortenToLearnt,
    'overflow-asked': output.fitWindow,
    'overflow-bedrock': length.shortenForBedrock,
    'output-budget': output.fitOutput,
    'output-cap': output.capOutput,
    'output-rest': output.fitRest,
    'tool-reference': tools.replaceNamedReferences('undeclared'),
    'tool-references': tools.replaceNamedReferences('all'),
    'part-kind': messages.partsToText,
    'part-named': messages.partsToText,
    'part-type': repairPartTypes,
    'tool-names': tools.renameRejectedTools(),
    'tool-names-bedrock': tools.renameRejectedTools({ pattern: /^[\w-]+$/, lengthMax: 64 }),
    'tool-names-gemini': tools.renameRejectedTools({ pattern: /^[A-Za-z_][\w.-]*$/, lengthMax: 64 }),
    'tool-count': tools.dropSpareTools,
    'call-count': tools.splitSteps,
    'item-count': length.dropOldestItems,
    'tool-twice': dropToolTwins,
    'tool-ids': tools.shortenIds,
    'tool-schema': plainSchemas,
    'tool-type': tools.dropToolType,
    'server-tools': tools.replaceServerTools,
    'cache-marks': tools.dropSpareCacheMarks,
    'cache-points': tools.dropCachePoints,
    'empty-text': messages.dropEmptyText,
    unicode: replaceHalves,
    role: messages.renameRole,
    'role-developer': messages.developerToSystem,
    'role-system': messages.liftSystem,
    'content-null': messages.fillContent,
    prefill: messages.endWithUser,
    'trailing-space': messages.trimEnd,
    'fields-unsupported': fields.dropUnsupported,
    'fields-listed': fields.dropListed,
    'fields-extra': fields.dropExtra,
    'fields-unknown': fields.dropUnknown,
    'fields-gemini': fields.dropUnknownToGemini,
    'reasoning-back': fields.addReasoning,
    parameter: fields.dropParameter,
    'parameter-rename': fields.renameParameter,
    'parameter-value': fields.setNearest,
    'thinking-type': fields.setThinkingType,
    'thinking-budget': fields.dropThinkingBudget,
    'reasoning-summary': fields.dropReasoningSummary,
  } satisfies Record<string, RejectionRepair>,
)
