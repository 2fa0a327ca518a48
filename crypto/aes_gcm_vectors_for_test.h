// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Published test vectors of AES-256-GCM with 96-bit nonces and 128-bit tags.

#ifndef SHARDINGDB_CRYPTO_AES_GCM_VECTORS_FOR_TEST_H_
#define SHARDINGDB_CRYPTO_AES_GCM_VECTORS_FOR_TEST_H_

namespace shardingdb::crypto_internal {

// Bytes are hexadecimal.
struct AesGcmVector {
  int number;
  const char* key;
  const char* nonce;
  const char* associated_data;
  const char* plaintext;
  const char* ciphertext;
  const char* tag;
};

// McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B:
// the test cases with a key of 256 bits and a nonce of 96 bits.
inline constexpr AesGcmVector kGcmSpecificationVectors[] = {
    {13, "0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", "", "", "",
     "530f8afbc74536b9a963b4f1c4cb738b"},
    {14, "0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", "", "00000000000000000000000000000000",
     "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"},
    {15, "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
     "cafebabefacedbaddecaf888", "",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
     "b094dac5d93471bdec1a502270e3cc6c"},
    {16, "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
     "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
     "76fc6ece0f4e1768cddf8853bb2d551b"},
};

// Project Wycheproof (repository C2SP/wycheproof, testvectors_v1/
// aes_gcm_test.json): tests of the group with 96-bit nonces, 256-bit keys and
// 128-bit tags that are valid. Numbers are its tcId.
inline constexpr AesGcmVector kWycheproofVectors[] = {
    {91, "92ace3e348cd821092cd921aa3546374299ab46209691bc28b8752d17f123c20",
     "00112233445566778899aabb", "00000000ffffffff", "00010203040506070809",
     "e27abdd2d2a53d2f136b", "9a4a2579529301bcfb71c78d4060f52c"},
    {92, "29d3a44f8723dc640239100c365423a312934ac80239212ac3df3421a2098123",
     "00112233445566778899aabb", "aabbccddeeff", "", "",
     "2a7d77fa526b8250cb296078926b5020"},
    {93, "80ba3192c803ce965ea371d5ff073cf0f43b6a2ab576b208426e11409c09b9b0",
     "4da5bf8dfd5852c1ea12379d", "", "", "",
     "4771a7c404a472966cea8f73c8bfe17a"},
    {94, "cc56b680552eb75008f5484b4cb803fa5063ebd6eab91f6ab6aef4916a766273",
     "99e23ec48985bccdeeab60f1", "", "2a", "06",
     "633c1e9703ef744ffffb40edf9d14355"},
    {95, "51e4bf2bad92b7aff1a4bc05550ba81df4b96fabf41c12c7b00e60e48db7e152",
     "4f07afedfdc3b6c2361823d3", "", "be3308f72a2c6aed", "cf332a12fdee800b",
     "602e8d7c4799d62c140c9bb834876b09"},
    {96, "67119627bd988eda906219e08c0d0d779a07d208ce8a4fe0709af755eeec6dcb",
     "68ab7fdbf61901dad461d23c", "", "51f8c1f731ea14acdb210a6d973e07",
     "43fc101bff4b32bfadd3daf57a590e", "ec04aacb7148a8b8be44cb7eaf4efa69"},
    {97, "59d4eafb4de0cfc7d3db99a8f54b15d7b39f0acc8da69763b019c1699f87674a",
     "2fcb1b38a99e71b84740ad9b", "", "549b365af913f3b081131ccb6b825588",
     "f58c16690122d75356907fd96b570fca", "28752c20153092818faba2a334640d6e"},
    {98, "3b2458d8176e1621c0cc24c0c0e24c1e80d72f7ee9149a4b166176629616d011",
     "45aaa3e5d16d2d42dc03445d", "", "3ff1514b1c503915918f0c0c31094a6e1f",
     "73a6b6f45f6ccc5131e07f2caa1f2e2f56", "2d7379ec1db5952d4e95d30c340b1b1d"},
    {99, "0212a8de5007ed87b33f1a7090b6114f9e08cefd9607f2c276bdcfdbc5ce9cd7",
     "e6b1adf2fd58a8762c65f31b", "",
     "10f1ecf9c60584665d9ae5efe279e7f7377eea6916d2b111",
     "0843fff52d934fc7a071ea62c0bd351ce85678cde3ea2c9e",
     "7355fde599006715053813ce696237a8"},
    {100, "b279f57e19c8f53f2f963f5f2519fdb7c1779be2ca2b3ae8e1128b7d6c627fc4",
     "98bc2c7438d5cd7665d76f6e", "c0",
     "fcc515b294408c8645c9183e3f4ecee5127846d1",
     "eb5500e3825952866d911253f8de860c00831c81",
     "ecb660e1fb0541ec41e8d68a64141b3a"},
    {101, "cdccfe3f46d782ef47df4e72f0c02d9c7f774def970d23486f11a57f54247f17",
     "376187894605a8d45e30de51", "956846a209e087ed",
     "e28e0e9f9d22463ac0e42639b530f42102fded75",
     "feca44952447015b5df1f456df8ca4bb4eee2ce2",
     "082e91924deeb77880e1b1c84f9b8d30"},
    {102, "f32364b1d339d82e4f132d8f4a0ec1ff7e746517fa07ef1a7f422f4e25a48194",
     "5a86a50a0e8a179c734b996d", "ab2ac7c44c60bdf8228c7884adb20184",
     "43891bccb522b1e72a6b53cf31c074e9d6c2df8e",
     "43dda832e942e286da314daa99bef5071d9d2c78",
     "c3922583476ced575404ddb85dd8cd44"},
    {103, "ff0089ee870a4a39f645b0a5da774f7a5911e9696fc9cad646452c2aa8595a12",
     "bc2a7757d0ce2d8b1f14ccd9",
     "972ab4e06390caae8f99dd6e2187be6c7ff2c08a24be16ef",
     "748b28031621d95ee61812b4b4f47d04c6fc2ff3",
     "a929ee7e67c7a2f91bbcec6389a3caf43ab49305",
     "ebec6774b955e789591c822dab739e12"},
    {104, "6efca98126918ab564d88c6bec02e8998b2be50e3f906ff9adfdd185f373e756",
     "4abd6cfc83bd06b11efaa2a7", "",
     "bbec79c086d41e602d090f7e40494d6bf3faa1dc6df0ab8a88ea5d35d426b248"
     "c2ad880351e223f6170d37cc9655e10459e59cbd6d1c092ed31d72ccc7af20",
     "97b4c73a4d8b5b21bc4b50dbb70dfa77b1a7bf0bbe7cf16ecf5bb60ba8070acc"
     "5740780435ed145a62a613dd9881b721168fbb3f5af385ee5d4f856cf93cba",
     "27ac8c4010d8e81b7051ceb06b30fe2d"},
    {105, "5b1d1035c0b17ee0b0444767f80a25b8c1b741f4b50a4d3052226baa1c6fb701",
     "d61040a313ed492823cc065b", "",
     "d096803181beef9e008ff85d5ddc38ddacf0f09ee5f7e07f1e4079cb64d0dc8f"
     "5e6711cd4921a7887de76e2678fdc67618f1185586bfea9d4c685d50e4bb9a82",
     "c7d191b601f86c28b6a1bdef6a57b4f6ee3ae417bc125c381cdf1c4dac184ed1"
     "d84f1196206d62cad112b038845720e02c061179a8836f02b93fa7008379a6bf",
     "f15612f6c40f2e0db6dc76fc4822fcfe"},
    {106, "81b6b27e5ed90ab99fe6756d4cb41e3f07269687f5afabdb426e29096b5e4466",
     "13e727486031cca21f733375", "",
     "9a95a23cfb1e35d89a7597570df0fb0efcbb7429f53bebcbbfa49fa247b251a8"
     "508ad497066855d08688576188e4ffb12d1d084dcabec3d57806daf215dcc97e"
     "dd",
     "7ede7368bca3c93d9f1d7f7750d6e44b1cb92c30e3c9834b0b69efd247091164"
     "4ae6f6d75715e13aea8781f8da611a13ac6364c406c1a715b7e97acb22b6e615"
     "6e",
     "74e20a93802f43407c8989a37f013802"},
    {107, "ea1d436f6359caec010789fa94fe08b167c3e497d8917282f47ad2a8f95fd0f1",
     "73fe022202767af834e32126", "",
     "adf9b6df5c5cc9473e0bb579f9a6aad396f93d28bf83e98136f978cfb9d501d0"
     "9ef778c122b43c876c22e40d74a48d908978465a06be9e80891710c8c2690a76"
     "2bc9eb8bcb2aa2707db149abafb9c17c1f0b68c7adcea98aebf4c6a39e5a8f69"
     "3133eaaa5bb0b3708720d7b86424101bad56aa190c67d25fe35a4a34e1f4fd",
     "2e6b19520d9c91e41f523bfd80cb3d577df762879b04a586b865280bac651102"
     "fa60164b8586f91c02b2151cc2fd29f4c6e92839cdd873be12c1443141f8bcb8"
     "754965aec7c0829fb391e56563ba76e896ec81932b5efbad23bb965ebbf8d8fd"
     "a98f9cbd48f37b2c46db609e40768266c2b36a7810d2b79133f377d0377b41",
     "f9a0eba513904c4a7168d762000f34be"},
    {109, "7f7c5804a680f61924966725dba2a80d85267c2e03c7c234b045b24ec8e23528",
     "2d9bf8b636f337d265b0904c", "",
     "e2f85fb176840c38345da0f0f8db6cdbc45a123165f244ff5389fe65bf341fa1"
     "31130751b5c739a9931d5a57b141dc7b5b0c5a2ca07331c2dc04b2657b028987"
     "8dea0ef7d5601465b78a65795f0f3181304e58a261feb1d394f3c33cabae1899"
     "41755d7654bb7bef08c31bd2c5ce1203eebc015ae040da2a851c2ba3c62e6993"
     "56",
     "d7380d10b22c3ae584531e9e4ee73d387f69dbbb3d3d9fdb4971ed2750b31913"
     "f79e4c00cf1b76933bbb75d39d8a6429a2528e9bd60e65fa6ffff9e01a8758e7"
     "b58409fa3f370cc32a63aa60a54c36d733e8f6dfccd5c3120d05c6e33140c005"
     "62865532b2c689de98769d3386e7a3ae679e404e062536ca046261211a426fb5"
     "86",
     "753f6c57c0cc2a075e68d082f6e83590"},
    {116, "0f112e59cdccd851c3b8e76c9f05a3b7c2e4feca5846afeb351c1cbcace82f04",
     "7147973339d86789a2c9a958",
     "37128be45f0a7f329546e1492c3c9c2d2534d5b1f5147e49ab91221e7c3edea2"
     "1bbe47bfe3619437ce3c61e6e946c504f348296918219e51bf2c5598589cff",
     "102e5804dda1fb5d656077edb15cadb5d0bdee8c",
     "618ac626ae0e8d06c2fd2fb66be253dc26ed6e38",
     "d8d93ff975cb988f09174dcd439cb6a4"},
    {117, "2ce6b4c15f85fb2da5cc6c269491eef281980309181249ebf2832bd6d0732d0b",
     "c064fae9173b173fd6f11f34",
     "498d3075b09fed998280583d61bb36b6ce41f130063b80824d1586e143d349b1"
     "26b16aa10fe57343ed223d6364ee602257fe313a7fc9bf9088f027795b8dc1d3",
     "f8a27a4baf00dc0555d222f2fa4fb42dc666ea3c",
     "aed58d8a252f740dba4bf6d36773bd5b41234bba",
     "01f93d7456aa184ebb49bea472b6d65d"},
    {118, "52350da5a572911ee0e0fcedb115af6f4570fbf9c74a11bc184444d6a621d60f",
     "d68ad045c1b9c2923cf5404c",
     "03a94b3841292d9bbf72f413c09167c54ee10537c049afe2bbcec43b18f3890b"
     "2fcdd3bb31e6d709274e199c0c4648eb3d8b38e0c1bf7f309443bef6937cde41"
     "23",
     "4e6e6dad2c16cfc6e7cac03636a4a6d88bd6a13e",
     "c7764411be13cfeaaece761bd3bb13552f088048",
     "bcc2544e79f34ea1076a12b76441d6fa"},
    {128, "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f",
     "000000000000000000000000", "", "561008fa07a68f5c61285cd013464eaf",
     "23293e9b07ca7d1b0cae7cc489a973b3", "ffffffffffffffffffffffffffffffff"},
    {129, "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f",
     "ffffffffffffffffffffffff", "", "c6152244cea1978d3e0bc274cf8c0b3b",
     "7cb6fc7c6abc009efe9551a99f36a421", "00000000000000000000000000000000"},
};

// From the same group: tags that must be refused. All are of the message of
// kWycheproofModified, whose own tag is right.
inline constexpr AesGcmVector kWycheproofModified = {
    0,
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "505152535455565758595a5b",
    "",
    "202122232425262728292a2b2c2d2e2f",
    "b2061457c0759fc1749f174ee1ccadfa",
    "9ce8fef6d8ab1bf1bf887232eab590dd"};
struct AesGcmModifiedTag {
  int number;
  const char* tag;
};
inline constexpr AesGcmModifiedTag kWycheproofModifiedTags[] = {
    {130, "9de8fef6d8ab1bf1bf887232eab590dd"},
    {131, "9ee8fef6d8ab1bf1bf887232eab590dd"},
    {132, "1ce8fef6d8ab1bf1bf887232eab590dd"},
    {133, "9ce9fef6d8ab1bf1bf887232eab590dd"},
    {134, "9ce8fe76d8ab1bf1bf887232eab590dd"},
    {135, "9ce8fef6d9ab1bf1bf887232eab590dd"},
    {136, "9ce8fef6daab1bf1bf887232eab590dd"},
    {137, "9ce8fef6d8ab1b71bf887232eab590dd"},
    {138, "9ce8fef6d8ab1bf1be887232eab590dd"},
    {139, "9ce8fef6d8ab1bf13f887232eab590dd"},
    {140, "9ce8fef6d8ab1bf1bfa87232eab590dd"},
    {141, "9ce8fef6d8ab1bf1bf887332eab590dd"},
    {142, "9ce8fef6d8ab1bf1bf887232ebb590dd"},
    {143, "9ce8fef6d8ab1bf1bf887232e8b590dd"},
    {144, "9ce8fef6d8ab1bf1bf8872326ab590dd"},
    {145, "9ce8fef6d8ab1bf1bf887232eab590dc"},
    {146, "9ce8fef6d8ab1bf1bf887232eab590df"},
    {147, "9ce8fef6d8ab1bf1bf887232eab5909d"},
    {148, "9ce8fef6d8ab1bf1bf887232eab5905d"},
    {149, "9de8fef6d8ab1bf1be887232eab590dd"},
    {150, "9ce8fe76d8ab1b71bf887232eab590dd"},
    {151, "9ce8fef6d8ab1b71bf887232eab5905d"},
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_AES_GCM_VECTORS_FOR_TEST_H_
