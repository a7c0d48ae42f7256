import { acceptsName, fitName, type NameForm, shortHash } from '../ids.ts'
import { asFields, asList, type BodyDraft, eachObject, type MutableFields, scalarText } from './body-draft.ts'
import { declaredTools } from './declared-tools.ts'

/** Every object that names a tool which is called or answered in the history. */
function namesInHistory(draft: BodyDraft): MutableFields[] {
  const found: MutableFields[] = []
  eachObject(draft.history, fields => {
    if (['tool_use', 'function_call', 'custom_tool_call'].includes(scalarText(fields.type))) found.push(fields)
    for (const key of ['toolUse', 'functionCall', 'function_call', 'functionResponse', 'function_response']) {
      const holder = asFields(fields[key])
      if (holder && typeof holder.name === 'string') found.push(holder)
    }
    for (const call of asList(fields.tool_calls)) {
      const holder = asFields(asFields(call)?.function)
      if (holder) found.push(holder)
    }
    if (fields.role === 'tool' && typeof fields.name === 'string') found.push(fields)
  })
  return found.filter(holder => typeof holder.name === 'string')
}

export const calledNames = (draft: BodyDraft): Set<string> =>
  new Set(namesInHistory(draft).map(({ name }) => scalarText(name)))

/**
 * Names that the provider does not accept get others, one for each, in the tools and in the history alike. Returns the declared ones that
 * have another name now: by that name, the name that the caller knows.
 */
export function renameTools(draft: BodyDraft, form: NameForm): Map<string, string> {
  const declared = declaredTools(draft)
  const declaredNames = new Set(declared.map(({ holder }) => scalarText(holder.name)))
  const accepted = new Set([...declaredNames].filter(name => acceptsName(form, name)))
  // A tool of another server must not get the name of one that the caller knows.
  const taken = new Set([...accepted, ...calledNames(draft)])
  const names = new Map<string, string>()
  for (const name of [...declaredNames, ...calledNames(draft)]) {
    if (acceptsName(form, name) || names.has(name)) continue
    const fresh = (declaredNames.has(name) ? undefined : nearest(name, accepted)) ?? freeName(name, form, taken)
    taken.add(fresh)
    names.set(name, fresh)
  }
  const rename = (holder: MutableFields, key = 'name'): void => {
    const fresh = names.get(scalarText(holder[key]))
    if (fresh !== undefined) holder[key] = fresh
  }
  const renamed = new Map<string, string>()
  for (const [name, fresh] of names) {
    const message = `the tool name ${name.slice(0, 80)}, which the provider does not accept, becomes ${fresh}`
    if (!draft.change('lossless', 'tools', message, () => {})) return new Map()
    if (declaredNames.has(name)) renamed.set(fresh, name)
  }
  for (const { holder } of declared) rename(holder)
  for (const holder of namesInHistory(draft)) rename(holder)
  eachObject(draft.history, fields => {
    if (fields.type === 'tool_reference') rename(fields, 'tool_name')
  })
  const config = asFields(draft.body.toolConfig ?? draft.body.tool_config)
  eachObject({ choice: [draft.body.tool_choice, config?.toolChoice] }, fields => rename(fields))
  const calling = asFields(config?.functionCallingConfig ?? config?.function_calling_config)
  for (const key of ['allowedFunctionNames', 'allowed_function_names'])
    if (calling && Array.isArray(calling[key]))
      calling[key] = calling[key].map(name => names.get(scalarText(name)) ?? name)
  return renamed
}

/** The longest declared tool name that a made-up name begins with. */
function nearest(name: string, declared: ReadonlySet<string>): string | undefined {
  const plain = fitName(name, { lengthMax: Number.MAX_SAFE_INTEGER }).slice(0, nameMax)
  for (let length = plain.length; length > 0; length--) {
    const tool = plain.slice(0, length)
    if (declared.has(tool)) return tool
  }
  return undefined
}

/** No provider takes a longer name of a tool. */
const nameMax = 256

function freeName(name: string, form: NameForm, taken: ReadonlySet<string>): string {
  const safe = fitName(name, form)
  const fit = acceptsName(form, safe) ? safe : fitName(`_${name}`, form)
  for (let attempt = 0; ; attempt++) {
    const mark = shortHash(attempt === 0 ? name : `${name} ${attempt}`).slice(0, 9)
    const fresh = taken.has(fit) ? `${fit.slice(0, form.lengthMax - 10)}_${mark}` : fit
    if (!taken.has(fresh)) return fresh
  }
}
