// Builds the client for /staff/. Messages are compiled here, so the browser needs no parser.
import { fileURLToPath } from 'node:url'
import { parse } from '@formatjs/icu-messageformat-parser'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const LANGUAGES = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'ar-AE']

/** Turns messages/<language>/<area>.json into syntax trees. */
function messages(): Plugin {
  return {
    name: 'octavo-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/messages\/[a-z]{2}\/[\w-]+\.json$/.test(id)) return null
      const texts = JSON.parse(code) as Record<string, string>
      const trees = Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, parse(text)]),
      )
      return JSON.stringify(trees)
    },
  }
}

/** Pages that many a visit begins with, besides check-in, which comes with the client. */
const FIRST_PAGES = /\/src\/pages\/(check-out|inventory|users|requests)\/page\.tsx$/

/** A small part that goes with the first route: in characters of source, and used by so many pages. */
const SMALL_MAX = 1000
const SMALL_PAGES = 3

interface Chunk {
  type: string
  fileName: string
  facadeModuleId?: string | null
  imports?: string[]
  viteMetadata?: { importedCss: Set<string> }
}

/** Texts that these pages await besides those of the language itself. */
const PAGE_TEXTS: Record<string, readonly string[]> = {
  inventory: ['lists', 'inventory'],
  users: ['lists', 'forms', 'users'],
  requests: ['lists', 'forms', 'request'],
}

/** What these pages load that the client itself does not: in any language, and in each. */
function pageFiles(bundle: Record<string, Chunk>, html: string) {
  const withParts = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name) || html.includes(name)) return found
    found.add(name)
    const { imports = [], viteMetadata } = bundle[name] ?? {}
    for (const style of viteMetadata?.importedCss ?? []) if (!html.includes(style)) found.add(style)
    for (const one of imports) withParts(one, found)
    return found
  }
  const texts = new Map(
    Object.values(bundle).flatMap(({ facadeModuleId, fileName }) => {
      const path = /\/messages\/([a-z]{2}\/[\w-]+)\.json$/.exec(facadeModuleId ?? '')?.[1]
      return path ? [[path, fileName] as const] : []
    }),
  )
  const textsOf = (page: string, language: string) =>
    (PAGE_TEXTS[page] ?? []).flatMap((area) => texts.get(`${language}/${area}`) ?? [])
  return Object.fromEntries(
    Object.values(bundle).flatMap(({ facadeModuleId, fileName }) => {
      const page = FIRST_PAGES.exec(facadeModuleId ?? '')?.[1]
      if (!page) return []
      const own = LANGUAGES.map((tag) => tag.slice(0, 2)).map((one) => [one, textsOf(page, one)])
      return [[page, { all: [...withParts(fileName)], ...Object.fromEntries(own) }] as const]
    }),
  )
}

/**
 * Says in the page which file has the words of which language, and which ones a page consists of: public/look.js loads
 * them beside the client.
 */
function textFiles(): Plugin {
  return {
    name: 'octavo-text-files',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const files = Object.values(bundle ?? {}).flatMap((chunk) => {
          const id = chunk.type === 'chunk' ? chunk.facadeModuleId : undefined
          const language = id && /\/src\/i18n\/([a-z]{2})\.ts$/.exec(id)?.[1]
          return language ? [[language, chunk.fileName] as const] : []
        })
        if (!files.length) return html
        const texts = JSON.stringify(Object.fromEntries(files))
        const pages = JSON.stringify(pageFiles(bundle ?? {}, html))
        return html.replace('<html ', `<html data-texts='${texts}' data-pages='${pages}' `)
      },
    },
  }
}

/** React Aria ships its own strings in 35 languages; those that the client does not offer go. */
function ariaStrings(): Plugin {
  return {
    name: 'octavo-aria-strings',
    enforce: 'pre',
    load(id) {
      const found = /\/(?:intl|dist)\/.*?([a-z]{2}-[A-Z]{2})\.(?:m?js|cjs|json)$/.exec(id)
      const foreign = found && /react-aria|react-stately|@react-|@adobe/.test(id)
      if (!foreign || LANGUAGES.includes(found[1] ?? '')) return null
      return 'export default {}'
    },
  }
}

/**
 * One chunk for what the shell and the desk need: in many small ones the same code is 3 % larger, and each
 * new page would split them further. The small parts that many pages share go with it: each file, however small, costs
 * a slow processor some milliseconds before the first paint.
 */
function firstRoute(): (id: string, context: ModuleFacts) => string | null {
  const roots = /\/src\/(main\.tsx|app\/Shell\.tsx|pages\/check-in\/page\.tsx)$/
  // It names all parts of the library; what the first route uses it imports by the part's own name.
  const all = /\/react-aria-components\/dist\/exports\/index\.mjs$/
  const isFirst = throughImporters((id) => (roots.test(id) ? [FIRST_ROUTE] : []), all)
  const pagesOf = throughImporters((id) => (/\/src\/pages\/.*\/page\.tsx$/.test(id) ? [id] : []))
  const small = new Map<string, boolean>()
  const isSmall = (id: string, facts: ModuleFacts): boolean => {
    const known = small.get(id)
    if (known !== undefined) return known
    small.set(id, false)
    const { code, importedIds = [] } = facts.getModuleInfo(id) ?? {}
    const is =
      /\/src\/(?!pages\/)/.test(id) &&
      (code?.length ?? SMALL_MAX) < SMALL_MAX &&
      pagesOf(id, facts).size >= SMALL_PAGES &&
      importedIds.every((one) => isFirst(one, facts).size > 0 || isSmall(one, facts))
    small.set(id, is)
    return is
  }
  return (id, facts) =>
    !id.includes('/main.tsx') && (isFirst(id, facts).size > 0 || isSmall(id, facts))
      ? FIRST_ROUTE
      : null
}

/** What a module has of its own, and what all have that import it. */
function throughImporters(ownOf: (id: string) => readonly string[], without?: RegExp) {
  const found = new Map<string, Set<string>>()
  const allOf = (id: string, facts: ModuleFacts): ReadonlySet<string> => {
    const known = found.get(id)
    if (known) return known
    const own = new Set(ownOf(id))
    // A circle of imports ends here; the other way round decides.
    found.set(id, own)
    for (const importer of facts.getModuleInfo(id)?.importers ?? [])
      if (!without?.test(importer)) for (const one of [...allOf(importer, facts)]) own.add(one)
    return own
  }
  return allOf
}

/**
 * Most of this chunk runs before the first paint: Chromium compiles it whole then, beside the page's own work, and not
 * function by function in the middle of it. It looks for the word in the first line.
 */
function compiledAhead(): Plugin {
  return {
    name: 'octavo-compiled-ahead',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && chunk.name === FIRST_ROUTE && !chunk.facadeModuleId)
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}

const FIRST_ROUTE = 'desk'

interface ModuleFacts {
  getModuleInfo(id: string): {
    importers: readonly string[]
    importedIds?: readonly string[]
    code?: string | null
  } | null
}

const SERVER = process.env.OCTAVO_URL ?? 'http://127.0.0.1:9130'
// The client's own paths stay with Vite; everything else belongs to the server.
const target = { target: SERVER, changeOrigin: false }
const proxy = { '^/(?!staff(/|$)|@|node_modules)': target, '/staff/installation.json': target }

export default defineConfig({
  base: '/staff/',
  plugins: [messages(), ariaStrings(), textFiles(), react(), compiledAhead()],
  resolve: {
    alias: {
      '#': fileURLToPath(new URL('./src', import.meta.url)),
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
    },
  },
  // The workbench's table of published figures lies beside this folder.
  server: {
    port: 5173,
    strictPort: false,
    proxy,
    fs: { allow: ['.', '../workbench/figures/data'] },
  },
  build: {
    // ui/dist itself stays, empty, so that cargo notices when something is built.
    outDir: 'dist/files',
    manifest: 'manifest.json',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // The content security policy allows no inlined assets.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // The first route lists the names of all chunks: fewer characters of a hash tell them apart, too.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: { groups: [{ name: firstRoute() }] },
      },
    },
  },
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
  },
} as Parameters<typeof defineConfig>[0])
