import { type CodecId, codecs } from '../../codecs/index.ts'
import { equal } from '../../core/json/equal.ts'
import { heal } from '../../heal/heal.ts'
import type { HealOptions } from '../../heal/options.ts'
import { healRejected, retryOptions } from '../../heal/rejections/heal-rejected.ts'
import { healLearnt, type KnownLessons } from '../../heal/rejections/lessons.ts'
import { namesUrl, rejectsAllUrls } from '../../heal/rejections/names-url.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'

/** How messages are read: always in a known format. */
export type MessageOptions = HealOptions & { readonly format: CodecId }

/**
 * Messages that a provider rejected, after the smallest repair that resolves the rejection. Undefined if no change of the messages
 * does: only the messages are known here, so a repair that needs another part of the request is not possible.
 */
export function repairRejectedMessages(
  messages: readonly unknown[],
  rejection: Rejection,
  options: MessageOptions,
): readonly unknown[] | undefined {
  // The caller declares the tools and runs them by name, so they cannot be renamed here.
  if (rejection.kind === 'tool-name') return undefined
  // The error does not name the file, and the thread would lose all files permanently. So the message with the new file fails.
  if (rejection.kind === 'image-url' && !namesUrl(rejection.text) && !rejectsAllUrls(rejection.text)) return undefined
  const repaired = messagesIn(
    healRejected(requestOf(messages, options.format), rejection, options).body,
    options.format,
  )
  if (!repaired) return undefined
  const reading = rejection.history ? retryOptions(options, rejection, options.format) : options
  const healed = healPrompt(repaired, reading)
  return equal(healed, messages) ? undefined : healed
}

/** Messages repaired for what earlier rejections taught; the same reference if none of it applies. */
export function repairLearntMessages(
  messages: readonly unknown[],
  { rejections, marks }: KnownLessons,
  options: MessageOptions,
): readonly unknown[] {
  const lessons = { rejections: [...rejections.values()], marks: [...marks] }
  const { body, changed } = healLearnt(requestOf(messages, options.format), lessons, options)
  const repaired = changed ? messagesIn(body, options.format) : undefined
  return repaired ? healPrompt(repaired, options) : messages
}

/** Requests are healed when they are repaired, prompts of the AI SDK are not. */
const healPrompt = (messages: readonly unknown[], options: HealOptions): readonly unknown[] =>
  options.format === 'ai-sdk' ? heal(messages, options) : messages

/** A request that has only messages. */
export const requestOf = (messages: readonly unknown[], format: CodecId): Readonly<Record<string, unknown>> => ({
  [rootOf(format)]: messages,
})

/** The messages of a repaired request; undefined if the repair needs another field, which the caller would have to send. */
function messagesIn(body: Readonly<Record<string, unknown>>, format: CodecId): readonly unknown[] | undefined {
  const root = rootOf(format)
  const isComplete = Object.keys(body).every(key => key === root || declarations.has(key))
  const messages = body[root]
  return isComplete && Array.isArray(messages) ? messages : undefined
}

/** Tools are declared where a request has none; the request of the caller has its own. */
const declarations = new Set(['tools', 'toolConfig', 'tool_choice'])

/** The model functions of the AI SDK get a prompt. */
const rootOf = (format: CodecId): string => (format === 'ai-sdk' ? 'prompt' : codecs[format].format.root)
