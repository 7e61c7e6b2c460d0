// A user with a picture: a drawn face, as no photograph of anybody belongs in the repository.
import { type Api, expect } from './fixtures'
import { patrons } from './sample'
import type { Scene, Stage } from './stage'

const ENTRY = '/users/configurations/entry'

async function allow(api: Api) {
  const entry = await api.get<{ id: string }>(ENTRY)
  await api.put(`${ENTRY}/${entry.id}`, { ...entry, enabled: true })
}

/** As a PNG in base 64. */
const drawing = ({ page }: Stage) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 240
    canvas.height = 240
    const pen = canvas.getContext('2d')
    if (!pen) return ''
    const round = (colour: string, x: number, y: number, size: number) => {
      pen.fillStyle = colour
      pen.beginPath()
      pen.arc(x, y, size, 0, 2 * Math.PI)
      pen.fill()
    }
    pen.fillStyle = '#b9c6d8'
    pen.fillRect(0, 0, 240, 240)
    round('#4a5a78', 120, 270, 105)
    round('#5b4636', 120, 92, 66)
    round('#e2b999', 120, 108, 54)
    round('#3a2f28', 101, 104, 5)
    round('#3a2f28', 139, 104, 5)
    pen.strokeStyle = '#9c5a4a'
    pen.lineWidth = 4
    pen.beginPath()
    pen.arc(120, 120, 20, 0.2 * Math.PI, 0.8 * Math.PI)
    pen.stroke()
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })

async function portrait(stage: Stage) {
  const { page, api } = stage
  await allow(api)
  const [patron] = await patrons(api, 1, 60)
  await page.goto(`/staff/users/${patron?.id}?tab=details`)
  const part = page.getByRole('region', { name: 'Picture' })
  await part.getByRole('button', { name: /picture$/ }).click()
  const form = page.getByRole('form', { name: /picture$/ })
  await form.getByLabel('File', { exact: true }).setInputFiles({
    name: 'portrait.png',
    mimeType: 'image/png',
    buffer: Buffer.from(await drawing(stage), 'base64'),
  })
  await form.getByRole('button', { name: 'Save the picture' }).click()
  await expect(part.getByRole('img')).toBeVisible()
  return patron
}

export const PORTRAIT_SCENES: readonly Scene[] = [
  {
    name: 'user-picture',
    open: async (stage) => void (await portrait(stage)),
  },
  {
    name: 'check-out-picture',
    open: async (stage) => {
      const patron = await portrait(stage)
      await stage.page.goto(`/staff/check-out?patron=${patron?.barcode}`)
      const card = stage.page.getByRole('complementary', { name: 'Patron' })
      await expect(card.locator('img')).toBeVisible()
    },
  },
]
