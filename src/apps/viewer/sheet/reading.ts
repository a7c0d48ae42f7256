import type { Codec } from '../../../codecs/codec.ts'
import type { CodecId } from '../../../codecs/index.ts'
import type { Message } from '../../../core/conversation.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { RuleContext } from '../../../core/rules/rule.ts'

/** A document that was read: what stands on its sheet, and what healing would do to it. */
export interface Reading {
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  /** What the rules see of messages that stand so. */
  scene(messages: readonly Message[]): RuleContext
  /** What its contents are written in, where that is a shape that is known. */
  readonly codec?: Codec
  readonly shape?: CodecId
  readonly reader?: DialectId
  readonly readers: readonly DialectId[]
  /** What another reader would find. */
  check?(reader: DialectId): readonly Diagnostic[]
  /** The healed value. */
  healed?(): unknown
  /** The record that a message was read from, as its system wrote it. */
  recordsOf?(message: Message): readonly { readonly at: string; readonly text: string }[]
}

/** Why a document cannot be drawn. */
export interface Foreign {
  readonly foreign: string
}
