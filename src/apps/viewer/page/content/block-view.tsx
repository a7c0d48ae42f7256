import type { Block } from '../../desk.ts'
import { ImageView } from './image-view.tsx'
import { JsonTree } from './json-tree.tsx'
import { TextView } from './text-view.tsx'

/** One piece of a message, under its title. */
export function BlockView({ block, words }: { readonly block: Block; readonly words: string }) {
  return (
    <figure class={`block ${block.kind}`}>
      <figcaption>{block.title}</figcaption>
      {block.kind === 'text' && <TextView text={block.text} words={words} />}
      {block.kind === 'json' && <JsonTree value={block.value} words={words} />}
      {block.kind === 'image' && <ImageView url={block.url} title={block.title} />}
    </figure>
  )
}
