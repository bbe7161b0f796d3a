import type { Examples } from '../example.ts';

const CUPS = 'ES0021000000000001AB0F';
const PARAMETERS =
  'cp=28013&pP1=4.6&pP2=4.6&tc=E0&com=R2-999&finContrato=2026-12-31&tf=N&iniF=2025-12-31&finF=2026-01-31&fFact=2026-02-03' +
  '&caP1=1200&caP2=900&caP3=1400&iniA=2025-01-31&imp=62.40&impPot=12.83&impEner=38.50&prP1=0.08&prP2=0.01&prE1=0.18' +
  '&prE2=0.13&prE3=0.09';

const NOTHING_KNOWN = {
  desde: null,
  dias: null,
  fecha: null,
  importe: null,
  importe_potencia: null,
  importe_energia: null,
  importe_servicios: null,
  financiacion_bono_social: null,
};

export const READING_EXAMPLES: Examples = {
  readInvoice: [
    {
      summary: 'An invoice of a contract with three fixed prices',
      body: { url: `https://comparador.cnmc.gob.es/comparador/QRE?${PARAMETERS}` },
      status: 200,
      answer: {
        efficient: {
          supply_type: 'LUZ',
          energia: { e1: 1200, e2: 900, e3: 1400 },
          potencia: { p1: 4.6, p2: 4.6 },
          dias: 365,
          tariff_type: '2.0TD',
          territory: 'peninsula',
          community: 'madrid',
        },
        contrato_actual: { e1: 0.18, e2: 0.13, e3: 0.09, p1: 0.08, p2: 0.01 },
        factura: {
          desde: '2026-01-01',
          hasta: '2026-01-31',
          dias: 31,
          fecha: '2026-02-03',
          importe: 62.4,
          importe_potencia: 12.83,
          importe_energia: 38.5,
          importe_servicios: null,
          financiacion_bono_social: null,
        },
        contrato: {
          tipo: 'fijo_tres_periodos',
          cuota_fija: false,
          fin_contrato: '2026-12-31',
          fin_permanencia: null,
          comercializadora: 'R2-999',
        },
        avisos: [],
      },
    },
    {
      summary: 'A code that says the least',
      body: {
        url: `https://comparador.cnmc.gob.es/comparador/QRE2?pP1=3.3&pP2=3.3&caP1=500&caP2=400&caP3=600&tc=A0&cups=${CUPS}`,
      },
      status: 200,
      answer: {
        efficient: {
          supply_type: 'LUZ',
          energia: { e1: 500, e2: 400, e3: 600 },
          potencia: { p1: 3.3, p2: 3.3 },
          dias: 365,
          tariff_type: '2.0TD',
        },
        contrato_actual: null,
        factura: { ...NOTHING_KNOWN, hasta: null },
        contrato: {
          tipo: 'pvpc',
          cuota_fija: false,
          fin_contrato: null,
          fin_permanencia: null,
          comercializadora: null,
        },
        avisos: [
          {
            codigo: 'base_anual_dudosa',
            mensaje: 'the days of the annual consumption are not known: it is taken for that of 365 days',
          },
          {
            codigo: 'codigo_postal_desconocido',
            mensaje: 'the postcode names no province: the question has neither territory nor community',
          },
          {
            codigo: 'precio_no_contractual',
            mensaje: 'the contract has no fixed prices: those of one invoice are not its terms',
          },
        ],
      },
    },
  ],
  readConsumption: [
    {
      summary: 'Totals of two months',
      query: { tariff_type: '2.0TD', territory: 'peninsula' },
      body: {
        csv: `CUPS;Fecha;Valle;Llano;Punta;Energia_vertida_kWh\n${CUPS};2026/01;110;70;90,5;0\n${CUPS};2026/02;95;64;80;12`,
      },
      status: 200,
      answer: {
        tariff_type: '2.0TD',
        zona: 'peninsula',
        dias: 59,
        energia: { e1: 170.5, e2: 134, e3: 205 },
        excedentes: 12,
        perfil: [
          { mes: 1, dias: 31, energia: { e1: 90.5, e2: 70, e3: 110 }, excedentes: 0 },
          { mes: 2, dias: 28, energia: { e1: 80, e2: 64, e3: 95 }, excedentes: 12 },
        ],
        maximos: null,
        cobertura: { horas: 1416, horas_esperadas: 1416, estimadas: 0 },
        avisos: [
          {
            codigo: 'menos_de_un_ano',
            mensaje: 'the file covers less than a year: what is left out may be another season',
          },
          {
            codigo: 'totales_mensuales',
            mensaje: 'the file has totals by month: there are no maxima, and whether hours are missing is not known',
          },
        ],
      },
    },
  ],
};
