import type { Codec } from '../../../codecs/codec.ts'
import type { CodecId } from '../../../codecs/index.ts'
import type { Message } from '../../../core/conversation.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { RuleContext } from '../../../core/rules/rule.ts'

/** A decoded document: its messages, and the repair. */
export interface DecodedDocument {
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  /** The context that rules get for these messages. */
  context(messages: readonly Message[]): RuleContext
  /** The codec of its format, if the format is known. */
  readonly codec?: Codec
  readonly format?: CodecId
  readonly dialect?: DialectId
  readonly dialects: readonly DialectId[]
  /** The diagnostics for another provider. */
  check?(dialect: DialectId): readonly Diagnostic[]
  /** The repaired value. */
  healed?(): unknown
  /** The stored records of a message. */
  recordsOf?(message: Message): readonly { readonly at: string; readonly text: string }[]
}

/** Why a document cannot be drawn. */
export interface Unsupported {
  readonly unsupported: string
}
