/** Pictures are shown only if they are in the history itself; an address would tell its owner that somebody looks. */
const raster = /^data:image\/(png|jpeg|gif|webp);base64,/

export function ImageView({ url, title }: { readonly url: string; readonly title: string }) {
  if (!raster.test(url)) return <p class="content-at">A picture that is not in the history itself.</p>
  return <img class="picture" src={url} alt={title || 'A picture in the history'} />
}
