// Scenes of MARC records beyond those of titles: holdings and authorities.
import { type Field, linkTitle, makeHeading } from './authority'
import { type Api, expect } from './fixtures'
import { locations, makeHoldings, type Titled } from './marcHoldings'
import { at, firstRow, heading, type Scene, type Stage, titleNamed } from './stage'

const field = (tag: string, content: string, first = '1'): Field => ({
  tag,
  content,
  indicators: [first, '\\'],
})

/** Authorities as a library has them. */
const HEADINGS: readonly [string, Field[]][] = [
  [
    'n85002157',
    [
      field('100', '$a Mantel, Hilary, $d 1952-2022'),
      field('400', '$a Thompson, Hilary Mary, $d 1952-2022'),
      field('400', '$a McEwen, Hilary, $d 1952-2022'),
      field('670', '$a Wolf hall, 2009: $b title page (Hilary Mantel)', '\\'),
    ],
  ],
  [
    'n79021164',
    [
      field('100', '$a Twain, Mark, $d 1835-1910'),
      field('400', '$a Clemens, Samuel Langhorne, $d 1835-1910'),
      field('500', '$a Snodgrass, Quintus Curtius, $d 1835-1910'),
    ],
  ],
  [
    'sh85033848',
    [field('150', '$a Courts and courtiers', '\\'), field('450', '$a Royal courts', '\\')],
  ],
  ['n80126293', [field('110', '$a Tate Gallery', '2'), field('410', '$a Tate (Gallery)', '2')]],
]

/** The author of "Wolf hall", whom the title follows; all of it made once. */
async function author(api: Api): Promise<string> {
  const ids: string[] = []
  for (const [number, fields] of HEADINGS) {
    const query = encodeURIComponent(`naturalId==${number} and authRefType==Authorized`)
    const { authorities } = await api.get<{
      authorities: { id: string; numberOfTitles: number }[]
    }>(`/search/authorities?limit=1&query=${query}`)
    ids.push(authorities[0]?.id ?? (await makeHeading(api, number, fields)))
  }
  const [id = ''] = ids
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    `/search/instances?limit=0&query=authorityId==${id}`,
  )
  if (!totalRecords) await linkTitle(api, await titleNamed(api, 'wolf hall'), id)
  return id
}

/** MARC holdings of a title, made once. */
async function holdings(api: Api): Promise<string> {
  const title = await api.get<Titled>(
    `/inventory/instances/${await titleNamed(api, 'lord of the rings')}`,
  )
  const shelf = 'PR6039 .O32'
  const query = encodeURIComponent(`instanceId==${title.id} and callNumber=="${shelf}"`)
  const { holdingsRecords } = await api.get<{ holdingsRecords: { id: string }[] }>(
    `/holdings-storage/holdings?limit=1&query=${query}`,
  )
  const [place] = await locations(api)
  const id =
    holdingsRecords[0]?.id ?? (await makeHoldings(api, title, `$b ${place?.code} $h ${shelf}`))
  return `/inventory/${title.id}/holdings/${id}/marc`
}

async function holdingsEditor({ page, api }: Stage) {
  await page.goto(`/staff${await holdings(api)}/edit`)
  const place = page.getByRole('textbox', { name: '852 content' })
  await place.press('Control+Enter')
  await page.keyboard.type('007')
  await page.getByLabel('Category', { exact: true }).fill('h')
  await place.fill((await place.inputValue()).replace(/\$b \S+/, '$b nowhere'))
  await page.keyboard.press('F8')
  await expect(page.getByText('No location has the code “nowhere”.')).toBeVisible()
}

async function browse({ page, api }: Stage) {
  await author(api)
  await page.goto('/staff/authorities/browse?list=personalName&from=Mantel')
  await expect(page.getByText('would be here')).toBeVisible()
}

async function editor({ page, api }: Stage) {
  await page.goto(`/staff/authorities/${await author(api)}/edit`)
  const name = page.getByRole('textbox', { name: '100 content' })
  await name.fill('$a Mantel, Hilary Mary, $d 1952-2022')
  await expect(page.getByText(/Saving gives it the new heading/)).toBeVisible()
}

async function question(stage: Stage) {
  await editor(stage)
  await stage.page.keyboard.press('Control+s')
  await expect(stage.page.getByRole('dialog', { name: /^Change the heading in/ })).toBeVisible()
}

/** A file of FOLIO's, offered for new records. */
async function offered(api: Api) {
  const path = '/authority-source-files'
  const query = encodeURIComponent('name=="LC Name Authority file (LCNAF)"')
  const { authoritySourceFiles } = await api.get<{
    authoritySourceFiles: { id: string; selectable: boolean; _version: number }[]
  }>(`${path}?query=${query}`)
  const [file] = authoritySourceFiles
  if (file && !file.selectable)
    await api.patch(`${path}/${file.id}`, {
      id: file.id,
      selectable: true,
      _version: file._version,
    })
  return '/authorities/new/edit'
}

async function fresh({ page, api }: Stage) {
  await page.goto(`/staff${await offered(api)}`)
  await heading(page, 'New authority')
  await page.getByRole('button', { name: /Source file/ }).click()
  await page.getByRole('option', { name: /^LC Name Authority file/ }).click()
  await page.keyboard.press('F8')
  await expect(page.getByText(/010 \$a needs a number/)).toBeVisible()
}

export const CATALOGUE_SCENES: readonly Scene[] = [
  { name: 'marc-holdings', open: at(holdings, (page) => heading(page, 'MARC holdings')) },
  { name: 'marc-holdings-editor', open: holdingsEditor },
  {
    name: 'authorities',
    open: at(async (api) => {
      await author(api)
      return '/authorities'
    }, firstRow),
  },
  { name: 'authorities-browse', open: browse },
  {
    name: 'authority',
    open: at(
      async (api) => `/authorities/${await author(api)}`,
      (page) => expect(page.getByRole('link', { name: /wolf hall/i })).toBeVisible(),
    ),
  },
  { name: 'authority-editor', open: editor },
  { name: 'authority-question', open: question },
  { name: 'authority-new', open: fresh },
  {
    name: 'authority-files',
    open: at('/settings?of=authority-files', (page) => heading(page, 'Authority files')),
  },
]
