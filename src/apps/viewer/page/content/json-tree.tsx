import { useState } from 'preact/hooks'
import { JsonString } from './json-string.tsx'

interface Props {
  readonly value: unknown
  readonly words: string
  readonly name?: string
  readonly depth?: number
}

/** How many children are shown at first, how many levels are open, and up to how many children a level opens by itself. */
const childrenMax = 100
const depthOpen = 2
const childrenOpen = 30

/** A JSON value as a tree that can be opened and closed. */
export function JsonTree({ value, words, name, depth = 0 }: Props) {
  if (typeof value === 'object' && value !== null)
    return <JsonBranch value={value} words={words} depth={depth} {...(name !== undefined && { name })} />
  return (
    <div class="json-leaf">
      {name !== undefined && <Key name={name} />}
      {typeof value === 'string' ? (
        <JsonString text={value} words={words} />
      ) : (
        <span class={`json-${typeof value}`}>{String(value)}</span>
      )}
    </div>
  )
}

function JsonBranch({ value, words, name, depth = 0 }: Props & { readonly value: object }) {
  const isList = Array.isArray(value)
  const children = Object.entries(value)
  const [isOpen, setOpen] = useState(depth < depthOpen && children.length <= childrenOpen)
  const [shown, setShown] = useState(childrenMax)
  const size = isList ? `[${children.length}]` : `{${children.length}}`
  if (children.length === 0)
    return (
      <div class="json-leaf">
        {name !== undefined && <Key name={name} />}
        <span class="json-size">{isList ? '[]' : '{}'}</span>
      </div>
    )
  return (
    <div class="json-branch">
      <button type="button" class="json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {name !== undefined && <Key name={name} />}
        <span class="json-size">{size}</span>
        <span class="sr-only">{isList ? ' entries' : ' fields'}</span>
      </button>
      {isOpen && (
        <ul>
          {children.slice(0, shown).map(([key, child]) => (
            <li key={key}>
              <JsonTree value={child} words={words} name={key} depth={depth + 1} />
            </li>
          ))}
          {children.length > shown && (
            <li>
              <button type="button" class="button small" onClick={() => setShown(shown + childrenMax * 5)}>
                Show more ({(children.length - shown).toLocaleString('en')} left)
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

const Key = ({ name }: { readonly name: string }) => (
  <span class="json-key">
    <bdi>{name}</bdi>:{' '}
  </span>
)
