import { isRecord } from '../../../core/conversation.ts'
import { asFields, asList, eachObject, type MutableFields, scalarText } from '../../../core/request/body-draft.ts'
import { roleOf } from '../../../core/request/parts.ts'
import { findPath, type Path, pathText, stepsOf } from '../paths.ts'
import type { RequestDraft } from '../request-draft.ts'
import { thinkingHolder } from './reasoning.ts'
import {
  drop,
  dropFieldsOfGateways,
  dropFieldsOfNoApi,
  essential,
  foreign,
  mayDrop,
  messagesOnly,
  ofSomeRoles,
} from './unknown-fields.ts'

/**
 * Removes a key that a path ends in, there and in all its siblings: providers name the first place only. Siblings are messages (of the
 * same role, if other roles may have the key), blocks of the same type, or tools.
 */
function dropEverywhere(draft: RequestDraft, path: Path, role?: string): void {
  const key = String(path.at(-1))
  const place = path.slice(0, -1)
  const whole = findPath(draft.body, path)
  // A block of text has a key of the name that its type has: the step is the type, as with all blocks.
  const named = whole.path.at(-1) === key ? findPath(draft.body, whole.path.slice(0, -1)) : findPath(draft.body, place)
  const holder = asFields(named.value)
  if (named.path.length === 0) {
    if (!path.some(step => typeof step === 'number')) drop(draft, draft.body, key, key)
    return
  }
  if (!holder || (foreign.has(key) && !Object.hasOwn(holder, key) && named.path.length > 1)) {
    dropForeign(draft, key)
    return
  }
  const pattern = named.path.filter(step => typeof step !== 'number').join('.')
  const isOfAllRoles = messagesOnly.has(draft.format) && !ofSomeRoles.has(key) && !foreign.has(key)
  const owner = role ?? (named.path.length === 2 && !isOfAllRoles ? roleOf(holder) : undefined)
  const type = holder.type
  const before = draft.repairs.length
  eachObject(draft.body, (fields, at) => {
    const isMark = place.includes('cache_control') && at.at(-1) === 'cache_control'
    if (!isMark && at.filter(step => typeof step !== 'number').join('.') !== pattern) return
    if (fields !== holder && owner !== undefined && at.length === 2 && roleOf(fields) !== owner) return
    if (fields !== holder && fields.type !== type && at.length > 2) return
    drop(draft, fields, key, pathText([...at, key]))
  })
  if (named.path[0] === draft.root && draft.repairs.length > before) dropFieldsOfNoApi(draft)
}

/**
 * A gateway names the place in the request that it made of this one, where the messages may be others: the field is removed from all
 * messages and their parts, if no field of this API has its name.
 */
function dropForeign(draft: RequestDraft, key: string): void {
  if (!foreign.has(key)) return
  const visit = (value: unknown, at: string): void => {
    const fields = asFields(value)
    if (fields) drop(draft, fields, key, `${at}.${key}`)
  }
  draft.history.forEach((message, index) => {
    const at = `${draft.root}[${index}]`
    visit(message, at)
    for (const list of ['content', 'parts', 'tool_calls'])
      asList(asFields(message)?.[list]).forEach((part, place) => {
        visit(part, `${at}.${list}[${place}]`)
      })
  })
}

/** `property messages.1.assistant.x is unsupported`, `property body.x is unsupported`, `property x is unsupported`. */
export function dropUnsupported(draft: RequestDraft): void {
  const { text } = draft.rejection
  const role = /for role:(\w{1,20})/.exec(text)?.[1]
  for (const [, name = ''] of text.matchAll(/property ([\w.[\]-]{1,200}) is unsupported/g)) {
    const steps = stepsOf(name).filter((step, at) => !(at === 0 && step === 'body'))
    const [first] = steps
    if (first === undefined) continue
    const message = draft.rejection.paths.find(path => path.length === 2)
    if (steps.length > 1) dropEverywhere(draft, steps)
    else if (role !== undefined && message) dropEverywhere(draft, [...message, first], role)
    else renameOrDrop(draft, String(first))
  }
  // Groq and Cerebras know no other spelling of reasoning than `reasoning`.
  if (draft.repairs.some(({ at }) => at.startsWith(`${draft.root}[`))) dropFieldsOfGateways(draft)
}

/** `#/messages/0: extraneous key [x] is not permitted`, `#: extraneous key [y] is not permitted`. */
export function dropExtraneous(draft: RequestDraft): void {
  for (const [, at = '', name = ''] of draft.rejection.text.matchAll(
    /(?:#((?:\/[\w$-]{1,60}){0,20}): )?extraneous key \[(\w{1,60})\] is not permitted/g,
  ))
    dropNamed(draft, [...stepsOf(at), name])
}

/** `Additional properties are not allowed (x was unexpected) - messages.1`, `messages[1]: unknown field x`. */
export function dropAdditional(draft: RequestDraft): void {
  const { parameter = '', paths } = draft.rejection
  for (const name of parameter.split(/[, ]+/)) {
    if (name === '') continue
    if (paths.length === 0) dropNamed(draft, [name])
    for (const path of paths) dropNamed(draft, path.at(-1) === name ? path : [...path, name])
  }
}

/** `Extra inputs are not permitted, field: x, value: …` */
export function dropListed(draft: RequestDraft): void {
  for (const [, name = ''] of draft.rejection.text.matchAll(/not permitted, field: ([\w.[\]-]{1,200})/g))
    dropNamed(draft, stepsOf(name))
}

/** `x.y: Extra inputs are not permitted` */
export function dropExtra(draft: RequestDraft): void {
  for (const [, name = ''] of draft.rejection.text.matchAll(
    /([\w.[\]-]{1,200}):? Extra (?:inputs are|fields) not permitted/gi,
  ))
    dropNamed(draft, stepsOf(name))
}

/** `Unknown parameter: x`, `Unrecognized request arguments supplied: x, y`. */
export function dropUnknown(draft: RequestDraft): void {
  for (const name of (draft.rejection.parameter ?? '').replaceAll(/: \w+/g, '').split(/[, ]+/)) {
    const steps = stepsOf(name.replace(/\.$/, ''))
    if (steps.length > 0) dropNamed(draft, steps)
  }
}

/** `Unknown name x at contents[0].parts[1]: Cannot find field` */
export function dropUnknownToGemini(draft: RequestDraft): void {
  for (const [, name = '', , at = ''] of draft.rejection.text.matchAll(
    /Unknown name (\w{1,100})( at ([\w.[\]]{1,200}))?: Cannot find field/g,
  ))
    dropNamed(draft, [...stepsOf(at), name])
}

/** `Unknown parameter x at input[2]`. */
export function dropUnknownToInteractions(draft: RequestDraft): void {
  const { parameter = '', text } = draft.rejection
  const at = /Unknown parameter \w{1,100} at (input[\w.[\]]{1,200})/.exec(text)?.[1] ?? ''
  if (at !== '') dropNamed(draft, [...stepsOf(at), parameter])
}

function dropNamed(draft: RequestDraft, path: Path): void {
  const steps = path.filter((step, at) => !(at === 0 && (step === 'body' || step === 'request')))
  if (steps.length === 1) renameOrDrop(draft, String(steps[0]))
  else if (steps.length > 1) dropEverywhere(draft, steps)
}

/** Removes a parameter, or gives it the name that older servers know. */
function renameOrDrop(draft: RequestDraft, key: string): void {
  if (key === 'max_completion_tokens' && draft.body.max_tokens === undefined) rename(draft, key, 'max_tokens')
  else drop(draft, draft.body, key, key)
}

function rename(draft: RequestDraft, key: string, name: string): void {
  const value = draft.body[key]
  if (value === undefined) return
  draft.change('lossless', key, `the parameter ${key} becomes ${name}`, () => {
    delete draft.body[key]
    draft.body[name] ??= value
  })
}

/** The text names what to use instead. */
export function renameParameter(draft: RequestDraft): void {
  const { parameter = '', successor = '' } = draft.rejection
  if (parameter.includes('.') || essential.has(parameter)) dropParameter(draft)
  else rename(draft, parameter, successor)
}

/** The holder of a parameter: the request, what a path names in it, or where a format keeps its settings. */
function holderOf(draft: RequestDraft, parameter: string): { holder: MutableFields; key: string } | undefined {
  const steps = parameter.split('.')
  const key = steps.at(-1) ?? ''
  const top = draft.body
  if (steps.length > 1) {
    const { value } = findPath(top, steps.slice(0, -1))
    return isRecord(value) && Object.hasOwn(value, key) ? { holder: value as MutableFields, key } : undefined
  }
  const camel = key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const snake = key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  for (const holder of [
    top,
    top.inferenceConfig,
    top.additionalModelRequestFields,
    top.generationConfig,
    top.generation_config,
    top.extra_body,
    top.output_config,
    top.reasoning,
    ...Object.values(asFields(top.providerOptions) ?? {}),
  ]) {
    for (const name of [key, camel, snake])
      if (isRecord(holder) && Object.hasOwn(holder, name)) return { holder: holder as MutableFields, key: name }
  }
  return undefined
}

/** Removes the named parameter, and nothing else. */
export function dropParameter(draft: RequestDraft): void {
  const { parameter = '' } = draft.rejection
  const found = holderOf(draft, parameter)
  if (!found || !mayDrop(found.holder, found.key)) return
  draft.change('lossless', parameter, `the parameter ${parameter}, which the model does not accept, is removed`, () => {
    delete found.holder[found.key]
    prune(draft)
  })
}

/** Objects of settings that nothing is left in. */
function prune(draft: RequestDraft): void {
  for (const key of ['inferenceConfig', 'additionalModelRequestFields', 'reasoning', 'thinkingConfig'])
    if (isRecord(draft.body[key]) && Object.keys(draft.body[key]).length === 0) delete draft.body[key]
}

/** A value that the model does not accept: the nearest one that it accepts, if there is an order, else none. */
export function setNearest(draft: RequestDraft): void {
  const { value = '', values = [] } = draft.rejection
  // A place in a message is named: it is not about a setting of the request.
  if (draft.rejection.parameter === undefined && draft.rejection.paths.length > 0) return
  const parameter = draft.rejection.parameter ?? effortOf(draft) ?? ''
  const found = holderOf(draft, parameter)
  if (!found || (value !== '' && scalarText(found.holder[found.key]) !== value)) return
  const rank = scale.indexOf(value)
  const ranked = values
    .filter(name => scale.includes(name))
    .sort((a, b) => Math.abs(scale.indexOf(a) - rank) - Math.abs(scale.indexOf(b) - rank))
  if (rank < 0 || ranked.length === 0) {
    dropParameter(draft)
    return
  }
  draft.change('lossless', parameter, `the value ${value} of ${parameter} becomes ${ranked[0]}`, () => {
    found.holder[found.key] = ranked[0]
  })
}

/** Where a request sets how much to reason, if the text does not name the field. */
const effortOf = (draft: RequestDraft): string | undefined =>
  ['reasoning_effort', 'reasoning.effort', 'output_config.effort'].find(name => holderOf(draft, name) !== undefined)

const scale = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** A thinking setting that the model does not support: the one it supports, or none. */
export function setThinkingType(draft: RequestDraft): void {
  const holder = thinkingHolder(draft)
  const thinking = asFields(holder?.thinking)
  const { value } = draft.rejection
  if (!holder || !thinking || thinking.type !== value) return
  const max = draft.body.max_tokens ?? draft.body.maxOutputTokens
  const budget = typeof max === 'number' ? Math.floor(max / 2) : 0
  const change = (message: string, after: MutableFields | undefined): unknown =>
    draft.change('lossless', 'thinking', message, () => {
      if (after) holder.thinking = after
      else delete holder.thinking
    })
  if (value === 'enabled') {
    const { budget_tokens: _, budgetTokens: __, ...rest } = thinking
    change('thinking becomes adaptive', { ...rest, type: 'adaptive' })
  } else if (value === 'adaptive' && budget >= 1024 && beginsWithThinking(draft))
    change('thinking gets a budget', {
      type: 'enabled',
      [draft.format === 'ai-sdk' ? 'budgetTokens' : 'budget_tokens']: budget,
    })
  else change('the thinking setting is removed', undefined)
}

function beginsWithThinking(draft: RequestDraft): boolean {
  const last = draft.history.findLast(message => roleOf(message) === 'assistant')
  const first = asFields(asList(asFields(last)?.content)[0])
  return first !== undefined && /thinking$/.test(scalarText(first.type))
}

/** A thinking budget that the model does not accept. */
export function dropThinkingBudget(draft: RequestDraft): void {
  eachObject({ ...draft.body, [draft.root]: undefined, tools: undefined }, (fields, path) => {
    const levels = /level/i.test(draft.rejection.text) && !/budget/i.test(draft.rejection.text)
    for (const key of levels ? ['thinkingLevel', 'thinking_level'] : ['thinkingBudget', 'thinking_budget']) {
      if (Object.hasOwn(fields, key))
        draft.change(
          'lossless',
          pathText([...path, key]),
          'the thinking budget, which the model does not accept, is removed',
          () => delete fields[key],
        )
    }
  })
  if (!draft.changed && draft.body.reasoning_effort === 'none')
    draft.change(
      'lossless',
      'reasoning_effort',
      'the reasoning effort, which the model does not accept, is removed',
      () => delete draft.body.reasoning_effort,
    )
}

/** Reasoning items must have a summary, which may be empty. */
export function addSummaries(draft: RequestDraft): void {
  draft.history.forEach((item, index) => {
    const fields = asFields(item)
    if (fields?.type !== 'reasoning' || Array.isArray(fields.summary)) return
    draft.change(
      'synthetic',
      `${draft.root}[${index}]`,
      'an empty summary is added, which the provider requires',
      () => {
        fields.summary = []
      },
    )
  })
}

/** Summaries of reasoning need a verified account; the answer does not. */
export function dropReasoningSummary(draft: RequestDraft): void {
  const reasoning = asFields(draft.body.reasoning)
  for (const key of reasoning ? ['summary', 'generate_summary'] : []) {
    if (reasoning && Object.hasOwn(reasoning, key))
      draft.change(
        'lossless',
        `reasoning.${key}`,
        'summaries of reasoning are no longer asked for',
        () => delete reasoning[key],
      )
  }
  prune(draft)
}

/** Assistant messages must come back with their reasoning: those that have none get an empty one. */
export function addReasoning(draft: RequestDraft): void {
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    if (!fields || roleOf(fields) !== 'assistant' || typeof fields.reasoning_content === 'string') return
    draft.change(
      'synthetic',
      `${draft.root}[${index}]`,
      'an empty reasoning_content is added, which the provider requires',
      () => {
        fields.reasoning_content = ''
      },
    )
  })
}
