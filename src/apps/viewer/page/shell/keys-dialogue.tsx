import { Legend } from '../messages/legend.tsx'
import { Dialogue } from './dialogue.tsx'

const keys: readonly (readonly [string, string])[] = [
  ['j or ↓', 'next message'],
  ['k or ↑', 'previous message'],
  ['Home, End', 'first and last message'],
  ['Enter', 'unfold or fold a message'],
  ['n', 'next diagnostic'],
  ['p', 'previous diagnostic'],
  ['/', 'search; then Enter and Shift+Enter for the next and the previous match'],
  ['1 2 3 4', 'before, after, side by side, step by step'],
  ['[ and ]', 'previous and next edit'],
  ['?', 'this list'],
]

export function KeysDialogue({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialogue title="Keys and symbols" onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Legend />
    </Dialogue>
  )
}
