import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Kind } from './form.ts'

/** What a message of each kind calls itself, the name of its class, and the fields that only this class has. */
export const kinds: Readonly<Record<Kind, { readonly type: string; readonly name: string; readonly own: Fields }>> = {
  user: { type: 'human', name: 'HumanMessage', own: {} },
  assistant: {
    type: 'ai',
    name: 'AIMessage',
    own: { tool_calls: [], invalid_tool_calls: [], usage_metadata: undefined },
  },
  system: { type: 'system', name: 'SystemMessage', own: {} },
  tool: {
    type: 'tool',
    name: 'ToolMessage',
    own: { lc_direct_tool_output: true, status: undefined, tool_call_id: '', metadata: undefined, artifact: undefined },
  },
  function: { type: 'function', name: 'FunctionMessage', own: {} },
}

/** The class that all messages have in common; old ones know no blocks. */
declare class BaseMessage {
  constructor(fields: Fields)
  get contentBlocks(): readonly unknown[] | undefined
  get _printableFields(): object
}

type BaseClass = typeof BaseMessage

/** Any object lends it: it is the one that knows how a message is stored. */
export function baseOf(message: object): BaseClass | undefined {
  let prototype: unknown = Object.getPrototypeOf(message)
  while (isRecord(prototype)) {
    const { constructor: base } = prototype
    if (Object.hasOwn(prototype, 'toDict') && typeof base === 'function' && base.prototype === prototype)
      return base as unknown as BaseClass
    prototype = Object.getPrototypeOf(prototype)
  }
  return undefined
}

const classes = new WeakMap<BaseClass, Map<Kind, BaseClass>>()

/** A class for messages of a kind that no object in the history has; the same one each time. */
export function classOf(base: BaseClass, kind: Kind): BaseClass {
  const known = classes.get(base) ?? new Map<Kind, BaseClass>()
  classes.set(base, known)
  const made = known.get(kind) ?? derive(base, kind)
  known.set(kind, made)
  return made
}

/** Providers look at the type, stores at the name: a stored message is read back as an object of the library's own class. */
function derive(base: BaseClass, kind: Kind): BaseClass {
  const { type, name, own } = kinds[kind]
  const derived = class extends base {
    constructor(fields: Fields) {
      super(fields)
      const values: Fields = { ...structuredClone(own), ...pick(fields, Object.keys(own)), type }
      Object.defineProperties(this, Object.getOwnPropertyDescriptors(values))
    }

    static lc_name(): string {
      return name
    }

    _getType(): string {
      return type
    }

    override get contentBlocks(): readonly unknown[] {
      const blocks = super.contentBlocks ?? []
      const { tool_calls: calls = [] } = this as { tool_calls?: readonly Fields[] }
      const ids = new Set(blocks.map(block => (isRecord(block) ? block.id : undefined)))
      const missing = calls.filter(({ id }) => !ids.has(id))
      return [...blocks, ...missing.map(({ id, name, args }) => ({ type: 'tool_call', id, name, args }))]
    }

    override get _printableFields(): object {
      const shown = Object.keys(own).filter(key => !key.startsWith('lc_'))
      return { ...super._printableFields, ...pick(this as Fields, shown) }
    }
  }
  return Object.defineProperty(derived, 'name', { value: name })
}

const pick = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.filter(key => key in fields).map(key => [key, fields[key]]))
