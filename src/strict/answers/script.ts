import type { Mode } from '../modes.ts'
import { freeForm } from '../reading/reading.ts'
import type { Asked } from './asked.ts'
import { sample, sampleInput } from './sample.ts'

/** What the model says next; a string is a text. */
export type Reply = string | Said

export interface Said {
  text?: string
  thinking?: string
  calls?: Call[]
  /** By default `calls` if there are any, else `end`. */
  stop?: Stop
  usage?: { input?: number; output?: number }
  /** The answer fails like this; a slow, cut or malformed one is still this reply. */
  fail?: Mode
}

export interface Call {
  name: string
  /** A string is written as the raw arguments, broken or not, where the API has them as text. */
  input?: unknown
  id?: string
}

export const stops = ['end', 'calls', 'length', 'refusal', 'pause'] as const

export type Stop = (typeof stops)[number]

/** Replies in order, or a model of one's own. */
export type Script = Reply[] | ((asked: Asked) => Reply | Promise<Reply>)

/** A script as a function. A list that has run out says so, in words and not as an error. */
export function play(script: Script): (asked: Asked) => Reply | Promise<Reply> {
  if (typeof script === 'function') return script
  let next = 0
  return () => (next < script.length ? script[next++] : 'The script has no more replies.')
}

/**
 * Calls each tool once in a turn, one a step, and then says what it got, in JSON if that is what the request wants. A
 * request that insists on a call gets one, however often it asks. All else comes to an end with any client: a program
 * may open turns by itself when a background task has ended, so a tool is called a few times at most; and in a
 * conversation that a call of this model has opened (a sub-agent) nothing is called.
 */
export function callEachTool(asked: Asked): Reply {
  const { callable, mustCall, turnCalls, schemas, answerSchema } = asked
  const forced = mustCall ? callable[turnCalls.length % callable.length] : undefined
  const mayCall = !ownPrompt.test(asked.firstUser ?? '') && asked.calls.length < callsMax * callable.length
  const name = (mayCall ? callable.find(tool => !turnCalls.includes(tool)) : undefined) ?? forced
  if (name !== undefined) return { calls: [{ name, input: inputFor(schemas.get(name)) }] }
  if (answerSchema !== undefined) return JSON.stringify(sample(answerSchema))
  const got = asked.turnResults.map(result => `${result.name ?? 'a tool'} gave ${result.text}`)
  return got.length > 0 ? `Done: ${got.join('; ')}.` : `You said: ${asked.lastUser ?? 'nothing'}`
}

/** How often each tool is called in a conversation, on average. */
const callsMax = 5

const inputFor = (schema: unknown): unknown => (schema === freeForm ? 'word' : sampleInput(schema))

/** A line that this model writes where a call needs a text. Clients put words of their own on other lines. */
const ownPrompt = /^[ \t]*(word)+(w|wo|wor)?[ \t]*$/m
