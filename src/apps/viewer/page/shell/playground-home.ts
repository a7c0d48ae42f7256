/** The page that the playground belongs to, relative to it. The site puts it into its copy of the page; other pages have none. */
export const playgroundHome: string | undefined =
  document.querySelector('meta[name="antiphon-playground"]')?.getAttribute('content') ?? undefined
