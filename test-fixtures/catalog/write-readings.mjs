// node test-fixtures/catalog/write-readings.mjs
// Writes the readings of the demo: the address in the QR code of an invoice, a year of a meter by month and June 2026 of
// another by the hour, as Datadis gives them. All of it is made up, the numbers of the supply points too; a test makes it again.
import { writeFileSync } from 'node:fs';

const CUPS = 'ES0021000000000001AB0F';
const INVOICE = {
  cp: '28013',
  cups: CUPS,
  pP1: '4.6',
  pP2: '4.6',
  tc: 'E0',
  tf: 'N',
  iniF: '2025-12-31',
  finF: '2026-01-31',
  iniA: '2025-01-31',
  caP1: '1200',
  caP2: '900',
  caP3: '1400',
  // 4.6 * (0.08 + 0.01) * 31
  impPot: '12.83',
  prP1: '0.08',
  prP2: '0.01',
  prE1: '0.19',
  prE2: '0.14',
  prE3: '0.1',
};

/** kWh bought and exported by a house with panels on its roof, January first. */
const BOUGHT = [330, 290, 250, 200, 170, 160, 190, 180, 170, 220, 290, 340];
const EXPORTED = [120, 190, 350, 480, 610, 680, 720, 640, 480, 290, 140, 100];
const SHARES = [0.44, 0.26, 0.3];

/** Hundredths of a kWh that a home takes and its roof gives in every hour of a day, from 0 on. */
const HOME = [30, 25, 22, 21, 21, 23, 30, 42, 45, 40, 38, 38, 42, 50, 52, 42, 38, 40, 48, 62, 75, 78, 66, 45];
const ROOF = [0, 0, 0, 0, 0, 0, 0, 0, 20, 60, 110, 150, 180, 200, 200, 180, 140, 90, 40, 10, 0, 0, 0, 0];
const HOURS = HOME.map((taken, hour) => taken - (ROOF[hour] ?? 0));

/** @type {(hundredths: number) => string} */
const kwhText = (hundredths) => (Math.max(0, hundredths) / 100).toFixed(2).replace('.', ',');
/** @type {(number: number) => string} */
const twoDigits = (number) => String(number).padStart(2, '0');

/** @type {(value: number) => string} */
const decimal = (value) => value.toFixed(1).replace('.', ',');

export const FILES = {
  'invoice-qr.txt': `https://comparador.cnmc.gob.es/comparador/QRE?${new URLSearchParams(INVOICE)}\n`,
  'curve-2.0TD.csv': [
    'CUPS;Fecha;Valle;Llano;Punta;Energia_vertida_kWh',
    ...BOUGHT.map((kwh, month) => {
      const cells = SHARES.map((share) => decimal(kwh * share));
      return [CUPS, `2025/${twoDigits(month + 1)}`, ...cells, decimal(EXPORTED[month] ?? 0)].join(';');
    }),
    '',
  ].join('\n'),
  'curve-2.0TD-2026-06.csv': [
    'CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion;Energia_vertida_kWh',
    ...Array.from({ length: 30 }, (_, day) =>
      HOURS.map((net, hour) => {
        const when = [`2026/06/${twoDigits(day + 1)}`, `${twoDigits(hour + 1)}:00`];
        return [CUPS.replace('0001AB', '0002AB'), ...when, kwhText(net), 'Real', kwhText(-net)].join(';');
      }),
    ).flat(),
    '',
  ].join('\n'),
};

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(new URL(name, import.meta.url), text);
}
