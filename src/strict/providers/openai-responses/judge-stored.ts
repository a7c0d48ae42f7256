import { isReference } from '../../answers/reference.ts'
import { type JsonObject, stringOf } from '../../json.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Wire } from '../../judge/validator.ts'
import type { State } from '../../server/state.ts'

/** Items of the input that only the server itself can read: references, and reasoning without its text. */
export function unreadable({ body, state }: Wire): Objection[] {
  if (!body || !state) return []
  return state
    .input(body)
    .flatMap((item, index) => [
      ...(body.store === false ? unknown(item, `input[${index}]`, state) : []),
      ...encrypted(item, `input[${index}]`, state),
    ])
}

/** Without storage an id alone leads nowhere. What the server says of a wrong one with storage is not known. */
function unknown(item: JsonObject, at: string, state: State): Objection[] {
  const id = stringOf(item.id)
  const isBare = isReference(item) || (item.type === 'reasoning' && !isCipher(item.encrypted_content))
  if (id === undefined || !isBare || state.item(id)) return []
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
  return [refuse('or-not-persisted', message, at, { param: 'input', status: 404 })]
}

function encrypted({ type, id, encrypted_content: cipher }: JsonObject, at: string, state: State): Objection[] {
  if (type !== 'reasoning' || !isCipher(cipher) || !isForged(cipher, state)) return []
  const subject = typeof id === 'string' ? `for item ${id}` : `${cipher.slice(0, 4)}...${cipher.slice(-4)}`
  const message = `The encrypted content ${subject} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
  return [refuse('or-encrypted', message, at, { code: 'invalid_encrypted_content' })]
}

/** Not of OpenAI's form, made for another provider, or like ours but not ours. The rest may well be OpenAI's own. */
const isForged = (cipher: string, state: State): boolean =>
  !form.test(cipher) || (state.signed(cipher) === undefined && cipher.startsWith(ours))

const form = /^gAAAA[\w-]+=*$/
const ours = 'gAAAAABabcdefghijklmnopqrstuvwxyz'

const isCipher = (value: unknown): value is string => typeof value === 'string' && value !== ''
