import type { FailureMode } from '../modes.ts'
import type { StrictRequest } from '../provider.ts'
import { freeForm } from '../reading/request-summary.ts'
import { sample, sampleInput } from './sample.ts'
import type { ScriptInput } from './script-input.ts'

/** The next reply of the model; a string is text. */
export type ScriptedReply = string | ReplyContent

export interface ReplyContent {
  text?: string
  thinking?: string
  calls?: ScriptedCall[]
  /** By default `calls` if there are any, else `end`. */
  stop?: StopReason
  usage?: { input?: number; output?: number }
  /** The answer fails in this way; a slow, cut or malformed answer still contains this reply. */
  fail?: FailureMode
}

export interface ScriptedCall {
  name: string
  /** A string is sent as the raw arguments, valid or not, if the API has them as text. */
  input?: unknown
  id?: string
}

export const stops = ['end', 'calls', 'length', 'refusal', 'pause'] as const

export type StopReason = (typeof stops)[number]

/** Replies in order, or a function that acts as the model. Besides its reading, it gets the request as it came, headers included. */
export type ReplyScript = ScriptedReply[] | ReplyFunction

export type ReplyFunction = (input: ScriptInput, request: StrictRequest) => ScriptedReply | Promise<ScriptedReply>

/** A script as a function. When a list is used up, the reply says so as text, not as an error. */
export function play(script: ReplyScript): ReplyFunction {
  if (typeof script === 'function') return script
  let next = 0
  // A reply that is not one is reported where it is used.
  return () => (next < script.length ? (script[next++] as ScriptedReply) : 'The script has no more replies.')
}

/**
 * Calls each tool once in a turn, one per step, and then reports the results, as JSON if the request requires that. A request
 * that requires a call always gets one. Everything else ends with any client: a program may open turns by itself when a
 * background task has ended, so each tool is called only a few times; and in a conversation opened by a call of this model (a
 * sub-agent) no tool is called.
 */
export function callEachTool(input: ScriptInput): ScriptedReply {
  const { callable, mustCall, turnCalls, schemas, answerSchema } = input
  const forced = mustCall ? callable[turnCalls.length % callable.length] : undefined
  const mayCall = !ownPrompt.test(input.firstUser ?? '') && input.calls.length < callsMax * callable.length
  const name = (mayCall ? callable.find(tool => !turnCalls.includes(tool)) : undefined) ?? forced
  if (name !== undefined) return { calls: [{ name, input: inputFor(schemas.get(name)) }] }
  if (answerSchema !== undefined) return JSON.stringify(sample(answerSchema))
  const got = input.turnResults.map(result => `${result.name ?? 'a tool'} gave ${result.text}`)
  return got.length > 0 ? `Done: ${got.join('; ')}.` : `You said: ${input.lastUser ?? 'nothing'}`
}

/** How often each tool is called in a conversation, on average. */
const callsMax = 5

const inputFor = (schema: unknown): unknown => (schema === freeForm ? 'word' : sampleInput(schema))

/** A line that this model writes where a call needs text. Clients put their own text on other lines. */
const ownPrompt = /^[ \t]*(word)+(w|wo|wor)?[ \t]*$/m
