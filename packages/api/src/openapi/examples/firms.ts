import type { Examples } from '../example.ts';

export const FIRM_EXAMPLES: Examples = {
  listClients: [
    {
      summary: 'The first two',
      query: { limit: 2 },
      status: 200,
      answer: {
        total: 2,
        limit: 2,
        offset: 0,
        results: [
          { id: 1, name: 'Asesoría Levante', image_url: null, is_active: true },
          { id: 2, name: 'Asesoría Poniente', image_url: null, is_active: true },
        ],
      },
    },
  ],
  createClient: [
    {
      summary: 'A firm that sees the shared catalog',
      body: { name: 'Asesoría Norte', image_url: 'https://asesorianorte.example/logo.png', catalog: 'all' },
      status: 201,
      answer: { id: 3, name: 'Asesoría Norte', image_url: 'https://asesorianorte.example/logo.png', is_active: true },
    },
  ],
  getClient: [
    {
      summary: 'By id',
      params: { id: 1 },
      status: 200,
      answer: { id: 1, name: 'Asesoría Levante', image_url: null, is_active: true },
    },
  ],
  updateClient: [
    {
      summary: 'A new name',
      params: { id: 2 },
      body: { name: 'Asesoría Poniente y Sur' },
      status: 200,
      answer: { id: 2, name: 'Asesoría Poniente y Sur', image_url: null, is_active: true },
    },
  ],
  toggleClient: [
    {
      summary: 'An active firm becomes inactive',
      params: { id: 2 },
      status: 200,
      answer: { id: 2, name: 'Asesoría Poniente', image_url: null, is_active: false },
    },
  ],
  deleteClient: [
    {
      summary: 'The firm is kept, inactive',
      params: { id: 2 },
      status: 200,
      answer: { id: 2, name: 'Asesoría Poniente', image_url: null, is_active: false },
    },
  ],
  listCompanies: [
    {
      summary: 'Those of one firm',
      query: { client_id: 1, limit: 1 },
      status: 200,
      answer: {
        total: 2,
        limit: 1,
        offset: 0,
        results: [{ id: 1, client_id: 1, name: 'Comercializadora Alba', logo_url: null, is_active: true }],
      },
    },
  ],
  createCompany: [
    {
      summary: 'A retailer',
      body: { client_id: 1, name: 'Comercializadora Cierzo', logo_url: null },
      status: 201,
      answer: { id: 4, client_id: 1, name: 'Comercializadora Cierzo', logo_url: null, is_active: true },
    },
  ],
  getCompany: [
    {
      summary: 'By id',
      params: { id: 1 },
      status: 200,
      answer: { id: 1, client_id: 1, name: 'Comercializadora Alba', logo_url: null, is_active: true },
    },
  ],
  updateCompany: [
    {
      summary: 'A logo',
      params: { id: 2 },
      body: { logo_url: 'https://brisa.example/logo.svg' },
      status: 200,
      answer: {
        id: 2,
        client_id: 1,
        name: 'Comercializadora Brisa',
        logo_url: 'https://brisa.example/logo.svg',
        is_active: true,
      },
    },
  ],
  toggleCompany: [
    {
      summary: 'An active retailer becomes inactive',
      params: { id: 2 },
      status: 200,
      answer: { id: 2, client_id: 1, name: 'Comercializadora Brisa', logo_url: null, is_active: false },
    },
  ],
  deleteCompany: [
    {
      summary: 'The retailer is kept, inactive',
      params: { id: 2 },
      status: 200,
      answer: { id: 2, client_id: 1, name: 'Comercializadora Brisa', logo_url: null, is_active: false },
    },
  ],
};
