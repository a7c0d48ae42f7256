import type { ContentBlock } from '../../document-service.ts'
import { JsonTree } from './json-tree.tsx'
import { TextView } from './text-view.tsx'

/** One block of a message, under its title. */
export function BlockView({ block, words }: { readonly block: ContentBlock; readonly words: string }) {
  return (
    <figure class={`block ${block.kind}`}>
      <figcaption>{block.title}</figcaption>
      {block.kind === 'text' && <TextView text={block.text} words={words} />}
      {block.kind === 'json' && <JsonTree value={block.value} words={words} />}
      {block.kind === 'image' && <ImageView url={block.url} title={block.title} />}
    </figure>
  )
}

/** Only images inside the history are shown: loading a linked one would tell its server that the history is being viewed. */
const raster = /^data:image\/(png|jpeg|gif|webp);base64,/

function ImageView({ url, title }: { readonly url: string; readonly title: string }) {
  if (!raster.test(url)) return <p class="content-at">A linked image. It is not loaded.</p>
  return <img class="picture" src={url} alt={title || 'An image in the history'} />
}
