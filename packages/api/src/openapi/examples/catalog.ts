import type { Examples } from '../example.ts';
import { electricityOffer, indexedMonth, OFFERED_BY_DUERO } from './records.ts';

const DUERO = { id: 3, client_id: null, name: 'Comercializadora Duero', logo_url: null, is_active: true };
const FIJA = electricityOffer({
  id: 5,
  offer_name: 'Duero Fija',
  is_catalog: true,
  company: OFFERED_BY_DUERO,
  e1: 0.151,
  e2: 0.118,
  e3: 0.087,
  p1: 0.0799,
  p2: 0.0091,
  commission: 55,
});

export const CATALOG_EXAMPLES: Examples = {
  listCatalogCompanies: [
    { summary: 'All of them', status: 200, answer: { total: 1, limit: 50, offset: 0, results: [DUERO] } },
  ],
  createCatalogCompany: [
    {
      summary: 'A retailer',
      body: { name: 'Comercializadora Sil', logo_url: null },
      status: 201,
      answer: { id: 4, client_id: null, name: 'Comercializadora Sil', logo_url: null, is_active: true },
    },
  ],
  getCatalogCompany: [{ summary: 'By id', params: { id: 3 }, status: 200, answer: DUERO }],
  updateCatalogCompany: [
    {
      summary: 'A logo',
      params: { id: 3 },
      body: { logo_url: 'https://duero.example/logo.svg' },
      status: 200,
      answer: { ...DUERO, logo_url: 'https://duero.example/logo.svg' },
    },
  ],
  toggleCatalogCompany: [
    {
      summary: 'An active retailer becomes inactive',
      params: { id: 3 },
      status: 200,
      answer: { ...DUERO, is_active: false },
    },
  ],
  deleteCatalogCompany: [
    {
      summary: 'The retailer is kept, inactive',
      params: { id: 3 },
      status: 200,
      answer: { ...DUERO, is_active: false },
    },
  ],
  listCatalogOffers: [
    {
      summary: 'Electricity for individuals, of one retailer',
      query: { company_id: 3, supply_type: 'LUZ', client_type: 'dni', limit: 1 },
      status: 200,
      answer: { total: 2, limit: 1, offset: 0, results: [FIJA] },
    },
  ],
  createCatalogOffer: [
    {
      summary: 'An indexed offer',
      body: {
        company_id: 3,
        offer_name: 'Duero Horas',
        supply_type: 'LUZ',
        tariff_type: '2.0TD',
        is_indexed: true,
        p1: 0.0761,
        p2: 0.0049,
        territory_peninsula: true,
        acepta_dni: true,
        commission: 48,
      },
      status: 201,
      answer: electricityOffer({
        id: 7,
        offer_name: 'Duero Horas',
        is_indexed: true,
        is_catalog: true,
        company: OFFERED_BY_DUERO,
        p1: 0.0761,
        p2: 0.0049,
        commission: 48,
      }),
    },
  ],
  getCatalogOffer: [
    {
      summary: 'By id, with its months',
      params: { id: 5 },
      status: 200,
      answer: { ...FIJA, indexed_prices: [], indexed_prices_total: 0 },
    },
  ],
  updateCatalogOffer: [
    {
      summary: 'New prices of energy',
      params: { id: 5 },
      body: { e1: 0.149, e2: 0.117, e3: 0.085 },
      status: 200,
      answer: { ...FIJA, e1: 0.149, e2: 0.117, e3: 0.085 },
    },
  ],
  toggleCatalogOffer: [
    {
      summary: 'An active offer becomes inactive',
      params: { id: 5 },
      status: 200,
      answer: { ...FIJA, is_active: false },
    },
  ],
  deleteCatalogOffer: [
    { summary: 'The offer is kept, inactive', params: { id: 5 }, status: 200, answer: { ...FIJA, is_active: false } },
  ],
  listCatalogIndexedPrices: [
    {
      summary: 'One month',
      params: { id: 6 },
      status: 200,
      answer: {
        total: 1,
        limit: 50,
        offset: 0,
        results: [indexedMonth('2025-11-01', { e1: 0.19, e2: 0.12, e3: 0.09 })],
      },
    },
  ],
  upsertCatalogIndexedPrice: [
    {
      summary: 'A new month',
      params: { id: 6 },
      body: { reference_month: '2025-12', e1: 0.21, e2: 0.14, e3: 0.1 },
      status: 201,
      answer: indexedMonth('2025-12-01', { e1: 0.21, e2: 0.14, e3: 0.1 }),
    },
    {
      summary: 'A month that is replaced',
      params: { id: 6 },
      body: { reference_month: '2025-11-30', e1: 0.18, e2: 0.12, e3: 0.09 },
      status: 200,
      answer: indexedMonth('2025-11-01', { e1: 0.18, e2: 0.12, e3: 0.09 }),
    },
  ],
  getCatalogIndexedPrice: [
    {
      summary: 'One month',
      params: { id: 6, month: '2025-11' },
      status: 200,
      answer: indexedMonth('2025-11-01', { e1: 0.19, e2: 0.12, e3: 0.09 }),
    },
  ],
  deleteCatalogIndexedPrice: [{ summary: 'One month', params: { id: 6, month: '2025-11' }, status: 204 }],
  listCatalogSubscriptions: [
    {
      summary: 'Of a firm that subscribes to nothing',
      params: { id: 1 },
      status: 200,
      answer: { total: 1, limit: 50, offset: 0, results: [{ company: DUERO, subscribed: false }] },
    },
  ],
  subscribeToCatalogCompany: [
    {
      summary: 'One retailer',
      params: { id: 1, company_id: 3 },
      status: 200,
      answer: { company: DUERO, subscribed: true },
    },
  ],
  unsubscribeFromCatalogCompany: [
    {
      summary: 'One retailer',
      params: { id: 1, company_id: 3 },
      status: 200,
      answer: { company: DUERO, subscribed: false },
    },
  ],
};
